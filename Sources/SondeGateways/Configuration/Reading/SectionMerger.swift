import SondeDomain
import SondeEngine

/// Merges the keys of a mapping that several places give: mappings come together, of other values the last one counts.
struct SectionMerger {
    let reading: ConfigurationReading
    private(set) var entries: [YAMLEntry] = []
    private var places: [String: Int] = [:]
    private var path = ""

    init(reading: ConfigurationReading) {
        self.reading = reading
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
            places[entry.key] = entries.count
            entries.append(entry)
            return
        }
        let first = entries[place]
        switch (first.value.content, entry.value.content) {
        case (.mapping, _) where entry.value.isNull: break
        case (.mapping(let before), .mapping(let after)): entries[place] = merged(first, before, after)
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
        reading.hide(entries[place].value)
        reading.note(entry.value.mark, replaces: entries[place].value.mark)
        entries[place] = entry
    }

    private func merged(_ first: YAMLEntry, _ before: [YAMLEntry], _ after: [YAMLEntry]) -> YAMLEntry {
        var inner = SectionMerger(reading: reading)
        inner.path = path + first.key + "."
        inner.add(before)
        inner.add(after)
        let value = YAMLNode(
            content: .mapping(inner.entries), mark: first.value.mark, end: first.value.end, extent: first.value.extent)
        return YAMLEntry(key: first.key, keyMark: first.keyMark, value: value)
    }
}
