import SondeDomain
import SondeEngine

/// Reads one value by its definition; errors are reported at its place.
struct ValueReader {
    let reading: ConfigurationReading
    let definition: OptionDefinition
    /// The prefix of its key in messages: `targets[2].` for a member of an entry.
    var prefix = ""

    /// A value and the places in it.
    struct Read {
        var value: OptionValues.Value
        /// By suffix of the option's path: `[2]` for the items of a list, `.key` for the keys of a map.
        var marks: [String: SourceMark] = [:]
        /// By suffix: the text as the file has it, where it contains references.
        var references: [String: String] = [:]
    }

    var name: String { Shown.text(prefix + definition.key) }

    /// The value; nil when a problem was reported.
    func read(_ entry: YAMLEntry) -> Read? {
        let node = entry.value
        if definition.isSecret { reading.hide(node) }
        switch definition.type {
        case .list: return list(node)
        case .map: return map(node)
        case .entries: return nil
        default:
            guard let scalar = scalar(node, name, definition.type.noun, nullAt: entry.keyMark) else { return nil }
            return value(scalar, at: node.mark).map { value in
                Read(value: value, references: scalar.reference.map { ["": $0] } ?? [:])
            }
        }
    }

    /// The written value for a message; neither a secret nor the value of a reference is shown.
    func shown(_ scalar: ResolvedScalar) -> String {
        definition.isSecret ? "what is written" : Shown.text(scalar.shownText)
    }

    func report(_ code: ErrorCode, at mark: SourceMark, _ message: String, suggestion: String? = nil) {
        reading.report(code, at: mark, message, suggestion: suggestion)
    }

    private func scalar(
        _ node: YAMLNode, _ name: String, _ noun: String, nullAt keyMark: SourceMark
    ) -> ResolvedScalar? {
        guard case .scalar(let scalar) = node.content else {
            report(.wrongStructure, at: node.mark, "\(name) must be \(noun), not \(node.formName)")
            return nil
        }
        guard !scalar.isNull else {
            report(
                .missingValue, at: keyMark, "\(name) has no value",
                suggestion: definition.isRequired ? "write one" : "write one or remove the key")
            return nil
        }
        return reading.resolve(scalar, of: node, definition)
    }

    private func value(_ scalar: ResolvedScalar, at mark: SourceMark) -> OptionValues.Value? {
        switch definition.type {
        case .string, .list, .map, .entries: string(scalar.text, at: mark)
        case .choice(let words): choice(scalar, of: words, at: mark)
        case .bool: bool(scalar, at: mark)
        case .integer(let range): integer(scalar, in: range, at: mark)
        case .double(let range): double(scalar, in: range, at: mark)
        case .duration(let range): duration(scalar, in: range, at: mark)
        case .size(let range): size(scalar, in: range, at: mark)
        }
    }

    private func string(_ text: String, at mark: SourceMark) -> OptionValues.Value? {
        guard !text.utf8.contains(0) else {
            report(.wrongType, at: mark, "\(name) holds a NUL character")
            return nil
        }
        return definition.isSecret ? .secret(Secret(text)) : .string(text)
    }

    private func list(_ node: YAMLNode) -> Read? {
        if node.isNull { return Read(value: .list([])) }
        guard case .sequence(let items) = node.content else {
            report(
                .wrongStructure, at: node.mark, "\(name) must be a list, not \(node.formName)",
                suggestion: "write [a, b] or one '- a' per line")
            return nil
        }
        var texts: [String] = []
        var read = Read(value: .list([]))
        for (index, item) in items.enumerated() {
            if let text = member(item, "[\(index)]", nullAt: item.mark, &read) { texts.append(text) }
        }
        read.value = .list(texts)
        return texts.count == items.count ? read : nil
    }

    private func map(_ node: YAMLNode) -> Read? {
        if node.isNull { return Read(value: .map([])) }
        guard case .mapping(let entries) = node.content else {
            report(
                .wrongStructure, at: node.mark, "\(name) must be a mapping, not \(node.formName)",
                suggestion: "write { key: value } or one 'key: value' per line")
            return nil
        }
        var pairs: [Attribute] = []
        var read = Read(value: .map([]))
        for entry in entries {
            if entry.key.utf8.contains(0) {
                report(.wrongType, at: entry.keyMark, "a key of \(name) holds a NUL character")
            }
            if let text = member(entry.value, ".\(entry.key)", nullAt: entry.keyMark, &read) {
                pairs.append(Attribute(entry.key, text))
            }
        }
        read.value = .map(pairs)
        return pairs.count == entries.count ? read : nil
    }

    /// The text of an item of a list or of a value of a map.
    private func member(_ node: YAMLNode, _ suffix: String, nullAt mark: SourceMark, _ read: inout Read) -> String? {
        read.marks[suffix] = node.mark
        let name = Shown.text(prefix + definition.key + suffix)
        guard let scalar = scalar(node, name, "a single value", nullAt: mark) else { return nil }
        read.references[suffix] = scalar.reference
        return string(scalar.text, at: node.mark) == nil ? nil : scalar.text
    }
}

extension OptionDefinition.ValueType {
    /// What is expected, for messages.
    var noun: String {
        switch self {
        case .string: "a single value"
        case .choice(let words): Shown.alternatives(words)
        case .bool: "true or false"
        case .integer: "a whole number"
        case .double: "a number"
        case .duration: "a duration"
        case .size: "a size"
        case .list: "a list"
        case .map: "a mapping"
        case .entries: "a list of mappings"
        }
    }
}
