import SondeDomain
import SondeEngine

/// Brings the entries of `sources:` or `sinks:` of all files together.
///
/// What is for other hosts is left out, and an entry with `override` changes the one of its id before it.
struct EntryMerger {
    private static let override = "override"
    /// They say which entry it is, and are the same in both.
    private static let identifying = ["id", "plugin"]

    /// What an entry is in words: `source`.
    let noun: String
    let reading: ConfigurationReading
    let selection: HostSelection
    private var given: [YAMLNode] = []
    /// By place, what changes an entry, itself included.
    private var mergers: [Int: SectionMerger] = [:]
    private var places: [String: Int] = [:]
    private var absent: Set<String> = []

    init(_ noun: String, _ reading: ConfigurationReading, _ selection: HostSelection) {
        self.noun = noun
        self.reading = reading
        self.selection = selection
    }

    /// What is in force on this host.
    var nodes: [YAMLNode] {
        given.enumerated().map { place, node in mergers[place].map { node.with($0.entries) } ?? node }
    }

    /// Adds an entry of a file.
    mutating func add(_ node: YAMLNode) {
        guard case .mapping(let entries) = node.content else { return given.append(node) }
        let id = entries.plainText("id")
        let condition = entries.first { $0.key == HostSelection.key }
        if let condition, let reason = selection.reason(against: condition) {
            if let id, places[id] == nil { absent.insert(id) }
            return leaveOut(node, id, reason)
        }
        let kept = entries.filter { $0.key != HostSelection.key && $0.key != Self.override }
        if let entry = entries.first(where: { $0.key == Self.override }), isOverride(entry), let id {
            return override(id, with: kept, of: node, at: entry.keyMark)
        }
        if let id, places[id] == nil { places[id] = given.count }
        given.append(node.with(kept))
    }

    private func isOverride(_ entry: YAMLEntry) -> Bool {
        guard let definition = ConfigurationSchema.identity.first(where: { $0.key == Self.override }) else {
            return false
        }
        return ValueReader(reading: reading, definition: definition).read(entry)?.value == .bool(true)
    }

    private mutating func override(_ id: String, with entries: [YAMLEntry], of node: YAMLNode, at mark: SourceMark) {
        guard let place = places[id], case .mapping(let first) = given[place].content else {
            guard !absent.contains(id) else { return leaveOut(node, id, "what it overrides is left out") }
            return reading.report(
                .unusableOverride, at: mark, "there is no \(noun) \(Shown.text(id)) before it that it could override",
                suggestion: "files count in the order of their names, entries in that of the file")
        }
        if reading.isRemote(node), let plugin = first.plainText("plugin"), RemoteFileCheck.plugins.contains(plugin) {
            return reading.report(
                .forbiddenRemotely, at: mark, "a remote configuration cannot change a \(noun) that runs programs")
        }
        if let plugin = entries.plainText("plugin"), let other = first.plainText("plugin"), plugin != other {
            return reading.report(
                .unusableOverride, at: mark,
                "an override cannot change the plugin of \(Shown.text(id)) from \(Shown.text(other)) to "
                    + Shown.text(plugin),
                suggestion: "give the new \(noun) an id of its own")
        }
        if mergers[place] == nil {
            mergers[place] = SectionMerger(reading: reading)
            mergers[place]?.add(first)
        }
        mergers[place]?.add(entries.filter { !Self.identifying.contains($0.key) })
    }

    private func leaveOut(_ node: YAMLNode, _ id: String?, _ reason: String) {
        reading.hide(node)
        reading.leaveOut(noun, id, at: node.mark, reason)
    }
}
