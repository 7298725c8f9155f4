import SondeDomain
import SondeEngine

/// Merges the keys of a mapping that several places give: mappings come together, of other values the last one counts.
struct SectionMerger {
    let reading: ConfigurationReading
    private var given: [YAMLEntry] = []
    private var places: [String: Int] = [:]
    /// By key, the mappings that more than one place gives.
    private var inner: [String: SectionMerger] = [:]
    private var path = ""

    init(reading: ConfigurationReading) {
        self.reading = reading
    }

    /// What was added, merged.
    var entries: [YAMLEntry] {
        given.map { entry in
            guard let merger = inner[entry.key] else { return entry }
            return YAMLEntry(key: entry.key, keyMark: entry.keyMark, value: entry.value.with(merger.entries))
        }
    }

    /// Adds the section of one file.
    mutating func add(_ section: YAMLEntry) {
        if section.value.isNull { return }
        guard case .mapping(let added) = section.value.content else {
            reading.report(
                .wrongStructure, at: section.value.mark,
                "\(Shown.text(path + section.key)) must be a mapping, not \(section.value.formName)")
            return
        }
        if path.isEmpty { path = section.key + "." }
        add(added)
    }

    /// Adds keys.
    mutating func add(_ added: [YAMLEntry]) {
        for entry in added { add(key: entry) }
    }

    private mutating func add(key entry: YAMLEntry) {
        guard let place = places[entry.key] else {
            places[entry.key] = given.count
            given.append(entry)
            return
        }
        let first = given[place]
        switch (first.value.content, entry.value.content) {
        case (.mapping, _) where entry.value.isNull: break
        case (.mapping(let before), .mapping(let after)): merge(entry.key, before, after)
        case (.scalar, .scalar), (.sequence, .sequence): replace(place, by: entry)
        case _ where first.value.isNull || entry.value.isNull: replace(place, by: entry)
        default:
            reading.report(
                .conflictingFiles, at: entry.keyMark,
                "\(Shown.text(path + entry.key)) is \(entry.value.formName) here and \(first.value.formName) before",
                suggestion: "it is at \(first.keyMark)")
        }
    }

    private mutating func replace(_ place: Int, by entry: YAMLEntry) {
        // It is not read, so nobody else knows whether it is a secret.
        reading.hide(given[place].value)
        reading.note(entry.value.mark, replaces: given[place].value.mark)
        given[place] = entry
    }

    /// The merger of a key is kept: many places cost as much as their keys, and not as all that stood before.
    private mutating func merge(_ key: String, _ before: [YAMLEntry], _ after: [YAMLEntry]) {
        if inner[key] == nil {
            var merger = SectionMerger(reading: reading)
            merger.path = path + key + "."
            merger.add(before)
            inner[key] = merger
        }
        inner[key]?.add(after)
    }
}

extension YAMLNode {
    /// The same mapping with other keys.
    func with(_ entries: [YAMLEntry]) -> YAMLNode {
        YAMLNode(content: .mapping(entries), mark: mark, end: end, extent: extent)
    }
}
