import SondeDomain
import SondeEngine

/// Reads `agent:` of all files as one section.
struct AgentReader {
    let reading: ConfigurationReading

    func read() -> AgentSettings {
        let given = reading.files.compactMap { $0.entry("agent") }
        var merger = SectionMerger(reading: reading)
        for entry in given { merger.add(entry) }
        let mark = given.first?.keyMark ?? reading.start
        var options = OptionReader(owner: "'agent'", at: mark, ConfigurationSchema.agent, reading)
        options.read(merger.entries)
        LabelCheck(reading: reading).check(options, "labels")
        HostNameCheck(reading: reading).check(options)
        var agent = AgentSettings()
        agent.set(options.values, marks: options.marks)
        return agent
    }
}
