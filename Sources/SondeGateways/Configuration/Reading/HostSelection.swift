import SondeDomain
import SondeEngine

/// Decides by `when` what of a configuration is for this host.
struct HostSelection {
    static let key = "when"

    private static let definitions = ConfigurationSchema.identity.filter { $0.key.hasPrefix("\(key).") }.map {
        OptionDefinition(String($0.key.dropFirst(key.count + 1)), $0.type, required: true, help: $0.help)
    }

    let reading: ConfigurationReading
    /// The name of the host.
    let host: String

    /// Leaves out the fragments that are for other hosts; the main file is for all.
    func selectFiles() {
        for file in reading.files.dropFirst() {
            guard let entry = file.entry(Self.key), let reason = reason(against: entry) else { continue }
            for entry in file.entries { reading.hide(entry.value) }
            reading.leaveOut("the file", at: file.text.start, reason)
            reading.leaveOut(file)
        }
    }

    /// Why a part with this `when` is not for this host; nil: it is.
    ///
    /// One that is wrong is reported and holds nothing back, so that the rest is checked too.
    func reason(against entry: YAMLEntry) -> String? {
        guard !entry.value.isNull, case .mapping(let conditions) = entry.value.content else {
            reading.report(
                .wrongStructure, at: entry.value.isNull ? entry.keyMark : entry.value.mark,
                "'\(Self.key)' must be a mapping, not \(entry.value.formName)", suggestion: "write { host: \"db-*\" }")
            return nil
        }
        var options = OptionReader(owner: "'\(Self.key)'", at: entry.keyMark, Self.definitions, reading)
        options.prefix = "\(Self.key)."
        options.read(conditions.map(Self.asList))
        LabelCheck(reading: reading).checkGlobs(options, "host")
        guard case .list(let globs)? = options.values["host"] else { return nil }
        guard !globs.isEmpty else {
            reading.report(.missingValue, at: options.marks["host"] ?? entry.keyMark, "'when.host' is empty")
            return nil
        }
        // Names of hosts are the same in either case.
        let filter = GlobFilter(include: globs.map { $0.lowercased() }, exclude: [])
        guard !filter.passes(host.lowercased()) else { return nil }
        return "'\(Self.key)' wants host \(Shown.alternatives(globs))"
    }

    /// One glob may be written without brackets.
    private static func asList(_ entry: YAMLEntry) -> YAMLEntry {
        guard case .scalar = entry.value.content, !entry.value.isNull else { return entry }
        let list = YAMLNode(
            content: .sequence([entry.value]), mark: entry.value.mark, end: entry.value.end, extent: entry.value.extent)
        return YAMLEntry(key: entry.key, keyMark: entry.keyMark, value: list)
    }
}
