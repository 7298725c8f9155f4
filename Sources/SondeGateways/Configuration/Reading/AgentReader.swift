import SondeDomain
import SondeEngine

/// Reads `agent:` of all files as one section.
struct AgentReader {
    let reading: ConfigurationReading

    func read() -> AgentSettings {
        let given = reading.activeFiles.compactMap { $0.entry("agent") }
        var merger = SectionMerger(reading: reading)
        for entry in given { merger.add(entry) }
        let mark = given.first?.keyMark ?? reading.start
        var options = OptionReader(owner: "'agent'", at: mark, ConfigurationSchema.agent, reading)
        options.read(merger.entries)
        LabelCheck(reading: reading).check(options, "labels")
        HostNameCheck(reading: reading).check(options)
        LimitCheck(reading: reading).check(options)
        rejectEmptyTexts(options)
        RemoteSettingsCheck(reading: reading).check(options)
        var agent = AgentSettings()
        agent.set(options.read)
        return agent
    }

    /// An empty path would mean the root directory; a reference with an empty default writes one.
    private func rejectEmptyTexts(_ options: OptionReader) {
        for definition in options.definitions where definition.key != "host" {
            let texts =
                switch options.values[definition.key] {
                case .string(let text): [(definition.key, text)]
                case .list(let items): items.enumerated().map { ("\(definition.key)[\($0)]", $1) }
                default: [(String, String)]()
                }
            for (path, text) in texts where text.isEmpty {
                reading.report(
                    .missingValue, at: options.marks[path] ?? options.ownerMark, "\(Shown.text(path)) is empty",
                    suggestion: "write a value or remove it")
            }
        }
    }
}
