public import SondeDomain

extension ConfigurationSchema {
    private typealias Option = ConfigurationOption<AgentSettings>

    private static let standard = AgentSettings()

    /// The keys of `agent:`, in the order in which they are shown.
    public static let agentOptions: [ConfigurationOption<AgentSettings>] =
        [
            .duration(
                "interval", \.interval, intervals, of: standard, .byInstance,
                help: "How often sources that set no interval are read."),
            Option(
                OptionDefinition("labels", .map, help: "Labels on every point.", example: "{ site: fra1 }"), .live,
                value: { .map($0.labels) }, set: { if case .map(let labels) = $1 { $0.labels = labels } }),
            .text(
                "host", \.host, .fixed, unset: "the machine's own name",
                help: "The host name on every point, at most 255 bytes; the machine's own when not set."),
            .text(
                "state_dir", \.stateDirectory, .fixed, unset: "nothing is kept over a restart",
                help: "Where state is kept; nothing is kept over a restart when not set.", example: "/var/lib/sonde"),
            Option(
                OptionDefinition(
                    "control_socket", .string,
                    help: "Where 'sonde status' asks a running agent; 'none' for nowhere. Not set: sonde.sock in "
                        + "/run/sonde or in the user's runtime directory.",
                    example: "/run/sonde/sonde.sock"),
                .fixed, unset: "sonde.sock in the runtime directory",
                value: { $0.controlSocket.text.map { .string($0) } },
                set: { if case .string(let text) = $1 { $0.controlSocket = text == "none" ? .none : .path(text) } }),
            .list(
                "plugin_dirs", \.pluginDirectories, .byInstance,
                help: "Where plugins are looked for before the default directories.",
                example: "[/usr/local/lib/sonde/plugins]"),
            .duration(
                "shutdown_grace", \.shutdownGrace, .zero...Nanoseconds.seconds(3_600), of: standard, .live,
                help: "How long a stop may take."),
            Option(
                OptionDefinition(
                    "log.level", .choice(LogLevel.allCases.map(\.name)), default: standard.logLevel.name,
                    help: "The least urgent line that is logged."),
                .live, value: { .string($0.logLevel.name) },
                set: { agent, value in
                    guard let level = LogLevel.allCases.first(where: { .string($0.name) == value }) else { return }
                    agent.logLevel = level
                }),
            .choice("log.format", \.logFormat, of: standard, .live, help: "For people or one JSON object per line."),
        ] + spool + [
            .size(
                "history.max_bytes", \.historyMaxBytes, (12 << 20)...(1 << 30), of: standard, .fixed,
                help: "The bound of what 'sonde history' is answered from; kept where state_dir is set.")
        ]

    private static let spool: [Option] = [
        .size(
            "spool.max_bytes", \.spoolMaxBytes, (64 << 10)...(1 << 40), .fixed,
            unset: "\(SizeText.text(of: AgentSettings.diskSpoolBytes)) on disk, "
                + "\(SizeText.text(of: AgentSettings.memorySpoolBytes)) in memory",
            help: "The bound of the log;"),
        .duration(
            "spool.max_age", \.spoolMaxAge, Nanoseconds.seconds(1)...Nanoseconds.seconds(365 * 86_400), of: standard,
            .fixed, help: "On disk, what is older gives way."),
        .size(
            "spool.min_free", \.spoolMinFree, 0...(1 << 50), .fixed, unset: "the smaller of 5 % and 100MiB",
            help: "On disk, the room that is left to others;"),
        .choice(
            "spool.sync", \.spoolSync, of: standard, .fixed,
            help: "On disk, when what was collected survives a power cut."),
        .choice(
            "spool.overflow", \.overflow, of: standard, .fixed, help: "Which points give way when the queue is full."),
    ]
}

extension AgentSettings.ControlSocket {
    /// As the file has it; nil when nothing is set.
    fileprivate var text: String? {
        switch self {
        case .standard: nil
        case .none: "none"
        case .path(let path): path
        }
    }
}

extension AgentSettings {
    /// The settings that values by key give; what is missing has its default.
    public init(_ values: [String: OptionValues.Value], marks: [String: SourceMark]) {
        self.init()
        self.marks = marks
        for option in ConfigurationSchema.agentOptions {
            if let value = values[option.definition.key] { option.set(&self, value) }
        }
    }
}
