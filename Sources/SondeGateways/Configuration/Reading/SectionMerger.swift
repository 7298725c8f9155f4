import SondeDomain
import SondeEngine

/// Merges the keys of one section of several files; a value that two files set is reported.
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
        for entry in added { add(key: entry) }
    }

    private mutating func add(key entry: YAMLEntry) {
        guard let place = places[entry.key] else {
            places[entry.key] = entries.count
            entries.append(entry)
            return
        }
        let first = entries[place]
        guard case .mapping = first.value.content, case .mapping = entry.value.content else {
            reading.report(
                .conflictingFiles, at: entry.keyMark, "\(Shown.text(path + entry.key)) is given in two files",
                suggestion: "it is already at \(first.keyMark)")
            return
        }
        var inner = SectionMerger(reading: reading)
        inner.path = path + entry.key + "."
        inner.add(first)
        inner.add(entry)
        let merged = YAMLNode(
            content: .mapping(inner.entries), mark: first.value.mark, end: first.value.end,
            extent: first.value.extent)
        entries[place] = YAMLEntry(key: first.key, keyMark: first.keyMark, value: merged)
    }
}
