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
        return AgentSettings(options)
    }
}

extension AgentSettings {
    fileprivate init(_ options: OptionReader) {
        self.init()
        let values = options.values
        marks = options.marks
        interval = values.duration("interval") ?? interval
        labels = values.map("labels")
        host = values.string("host")
        stateDirectory = values.string("state_dir")
        controlSocket = values.string("control_socket").map(ControlSocket.init) ?? controlSocket
        pluginDirectories = values.list("plugin_dirs")
        shutdownGrace = values.duration("shutdown_grace") ?? shutdownGrace
        logLevel = LogLevel.allCases.first { $0.name == values.string("log.level") } ?? logLevel
        logFormat = values.string("log.format").flatMap(LogFormat.init) ?? logFormat
        spoolMaxBytes = values.integer("spool.max_bytes")
        spoolMaxAge = values.duration("spool.max_age") ?? spoolMaxAge
        spoolMinFree = values.integer("spool.min_free")
        spoolSync = values.string("spool.sync").flatMap(Synchronization.init) ?? spoolSync
        overflow = values.string("spool.overflow").flatMap(OverflowPolicy.init) ?? overflow
        historyMaxBytes = values.integer("history.max_bytes") ?? historyMaxBytes
    }
}

extension AgentSettings.ControlSocket {
    fileprivate init(_ text: String) {
        self = text == "none" ? .none : .path(text)
    }
}
