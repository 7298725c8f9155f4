import SondeDomain
import SondeEngine

/// Reads the keys of a mapping by their definitions; nested keys are joined with dots.
struct OptionReader {
    /// How many mappings a list of them may have.
    static let entryLimit = 1_024

    /// The treatment of a key without a definition.
    enum UnknownKeys {
        /// It is an error.
        case report
        /// Only its references can be checked: the plugin is not known.
        case ignore
        /// It is not checked: the entry is disabled.
        case skip
    }

    /// Whose keys they are, in words: `source 'wire' (pcap)`.
    let owner: String
    /// The place of the owner.
    let ownerMark: SourceMark
    let definitions: [OptionDefinition]
    /// Keys that are read elsewhere.
    var otherKeys: [String] = []
    var unknownKeys = UnknownKeys.report
    /// The prefix of each key in messages: `targets[2].` for the members of an entry.
    var prefix = ""
    let reading: ConfigurationReading

    private(set) var values: [String: OptionValues.Value] = [:]
    private(set) var marks: [String: SourceMark] = [:]
    /// By dotted path: the text as the file has it, where it contains references.
    private(set) var references: [String: String] = [:]
    private var tried: Set<String> = []

    init(owner: String, at ownerMark: SourceMark, _ definitions: [OptionDefinition], _ reading: ConfigurationReading) {
        self.owner = owner
        self.ownerMark = ownerMark
        self.definitions = definitions
        self.reading = reading
    }

    /// What was read.
    var read: OptionValues { OptionValues(values, marks: marks, references: references) }

    /// Reads every entry, reports what is missing and fills in defaults.
    mutating func read(_ entries: [YAMLEntry]) {
        let byKey = Dictionary(definitions.map { ($0.key, $0) }) { first, _ in first }
        marks[""] = ownerMark
        read(entries, below: "", byKey)
        for definition in definitions where !tried.contains(definition.key) { fill(definition) }
    }

    private mutating func read(_ entries: [YAMLEntry], below prefix: String, _ byKey: [String: OptionDefinition]) {
        for entry in entries {
            let path = prefix + entry.key
            if entry.key.utf8.contains(UInt8(ascii: ".")) {
                reportUnknown(entry, below: prefix)
            } else if let definition = byKey[path] {
                read(entry, definition)
            } else if children(of: path).isEmpty {
                reportUnknown(entry, below: prefix)
            } else {
                readSection(entry, path, byKey)
            }
        }
    }

    private mutating func read(_ entry: YAMLEntry, _ definition: OptionDefinition) {
        guard tried.insert(definition.key).inserted else { return }
        marks[definition.key] = entry.value.mark
        if case .entries(let members) = definition.type { return readEntries(entry, definition.key, members) }
        let reader = ValueReader(reading: reading, definition: definition, prefix: prefix)
        guard let read = reader.read(entry) else { return }
        values[definition.key] = read.value
        for (suffix, mark) in read.marks { marks[definition.key + suffix] = mark }
        for (suffix, text) in read.references { references[definition.key + suffix] = text }
    }

    /// Reads a list of mappings; one that is wrong leaves the whole list without a value.
    private mutating func readEntries(_ entry: YAMLEntry, _ key: String, _ members: [OptionDefinition]) {
        guard let items = items(of: entry, key, members) else { return }
        var read: [String: OptionValues.Value] = [key: .entries(items.count)]
        var isWhole = true
        for (index, item) in items.enumerated() {
            let path = "\(key)[\(index)]"
            marks[path] = item.mark
            guard case .mapping(let entries) = item.content else {
                isWhole = false
                reportNoMapping(item, path, members)
                continue
            }
            var inner = OptionReader(owner: "\(Shown.text(path)) of \(owner)", at: item.mark, members, reading)
            inner.prefix = path + "."
            inner.read(entries)
            isWhole = isWhole && inner.isWhole
            for (member, value) in inner.values { read[inner.prefix + member] = value }
            for (member, mark) in inner.marks where !member.isEmpty { marks[inner.prefix + member] = mark }
            for (member, text) in inner.references { references[inner.prefix + member] = text }
        }
        if isWhole { values.merge(read) { $1 } }
    }

    /// Nil when it is not a list, or too long.
    private func items(of entry: YAMLEntry, _ key: String, _ members: [OptionDefinition]) -> [YAMLNode]? {
        if entry.value.isNull { return [] }
        guard case .sequence(let items) = entry.value.content else {
            reportNoMapping(entry.value, key, members, wanted: "a list of mappings")
            return nil
        }
        guard items.count <= Self.entryLimit else {
            reading.report(
                .outOfRange, at: entry.value.mark,
                "\(Shown.text(key)) has \(items.count) entries, at most \(Self.entryLimit) are allowed")
            return nil
        }
        return items
    }

    private func reportNoMapping(
        _ node: YAMLNode, _ path: String, _ members: [OptionDefinition], wanted: String = "a mapping"
    ) {
        // It may contain a secret.
        if members.contains(where: \.isSecret) { reading.hide(node) }
        let first = members.first(where: \.isRequired) ?? members.first
        reading.report(
            .wrongStructure, at: node.mark, "\(Shown.text(path)) must be \(wanted), not \(node.formName)",
            suggestion: first.map { "write one '- \($0.key): …' per entry" })
    }

    /// Whether every key in the file has a value, and every required one.
    private var isWhole: Bool {
        definitions.allSatisfy { values[$0.key] != nil || !($0.isRequired || tried.contains($0.key)) }
    }

    private mutating func readSection(_ entry: YAMLEntry, _ path: String, _ byKey: [String: OptionDefinition]) {
        marks[path] = entry.keyMark
        if entry.value.isNull { return }
        guard case .mapping(let entries) = entry.value.content else {
            let children = children(of: path)
            for definition in definitions where definition.key.isBelow(path) { tried.insert(definition.key) }
            reading.report(
                .wrongStructure, at: entry.value.mark,
                "\(Shown.text(path)) must be a mapping, not \(entry.value.formName)",
                suggestion: "its keys are \(Shown.list(children))")
            return
        }
        read(entries, below: path + ".", byKey)
    }

    private func reportUnknown(_ entry: YAMLEntry, below prefix: String) {
        let path = prefix + entry.key
        if case .skip = unknownKeys {} else { reading.checkReferences(in: entry.value) }
        guard case .report = unknownKeys else { return }
        guard !reading.isFull else {
            return reading.report(.unknownKey, at: entry.keyMark, "unknown key \(Shown.text(path)) in \(owner)")
        }
        if definitions.contains(where: { $0.key == entry.key }) { return reportMisplaced(entry, path) }
        let siblings = children(of: prefix.isEmpty ? "" : String(prefix.dropLast()))
        let near = Vocabulary(siblings + (prefix.isEmpty ? otherKeys : [])).nearest(to: entry.key)
        if let near, definitions.contains(where: { $0.key == prefix + near && $0.isSecret }) {
            reading.hide(entry.value)
        }
        reading.report(
            .unknownKey, at: entry.keyMark, "unknown key \(Shown.text(path)) in \(owner)",
            suggestion: near.map { "did you mean \(Shown.text($0))?" })
    }

    private func reportMisplaced(_ entry: YAMLEntry, _ path: String) {
        let section = entry.key.prefix { $0 != "." }
        let isDotted = section.count < entry.key.count
        reading.hide(entry.value)
        reading.report(
            .unknownKey, at: entry.keyMark, "unknown key \(Shown.text(path)) in \(owner)",
            suggestion: isDotted
                ? "write \(Shown.text("\(section):")) and the rest of the key below it"
                : "\(Shown.text(entry.key)) belongs one level higher")
    }

    private mutating func fill(_ definition: OptionDefinition) {
        guard !definition.isRequired else {
            reading.report(.missingKey, at: ownerMark, "\(owner) has no \(Shown.text(definition.key))")
            return
        }
        guard let text = definition.defaultText else { return }
        guard let value = DefaultText.value(of: text, definition) else {
            reading.report(
                .malformedDefault, at: ownerMark,
                "the default of \(Shown.text(definition.key)) in \(owner) does not fit the option",
                suggestion: "set the option, and report the plugin to its author")
            return
        }
        values[definition.key] = value
    }

    /// The keys that are allowed directly below a path.
    private func children(of path: String) -> [String] {
        var names: [String] = []
        for definition in definitions where path.isEmpty || definition.key.isBelow(path) {
            let rest = definition.key.dropFirst(path.isEmpty ? 0 : path.count + 1)
            let name = String(rest.prefix { $0 != "." })
            if !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension String {
    /// Whether it is a path that begins with all of `path` and a dot.
    fileprivate func isBelow(_ path: String) -> Bool {
        utf8.count > path.utf8.count + 1 && utf8.starts(with: path.utf8)
            && utf8.dropFirst(path.utf8.count).first == UInt8(ascii: ".")
    }
}
