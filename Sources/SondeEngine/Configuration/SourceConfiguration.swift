public import SondeDomain

/// One entry of `sources:`.
public struct SourceConfiguration: Sendable {
    /// Unique among sources and sinks.
    public var id: String
    /// The plugin's name.
    public var plugin: String
    /// The interval, the agent's unless the source sets its own.
    public var interval: Nanoseconds
    /// Labels on every point of this source, beside the agent's.
    public var labels: [Attribute]
    /// How much of what it reads is sent.
    public var level = MetricLevel.core
    /// How much of it is collected at all; no key sets it, the agent's limits do.
    public var collected = MetricLevel.all
    /// How many series it may have open; nil: the plugin's bound.
    public var seriesLimit: Int?
    /// Where it runs; nil: as is usual for a plugin from its directory.
    public var isolation: Isolation?
    /// Whether it is confined; nil: where its plugin is made for it.
    public var sandbox: Sandbox?
    /// What its processes may use.
    public var limits = ProcessLimits()
    /// The plugin's own options.
    public var options: OptionValues
    /// The place of each value that the file sets, by dotted path; the entry itself under the empty path.
    public var marks: [String: SourceMark] = [:]
    /// The text as the file has it, by dotted path, of values that contain references; their values may be secret.
    public var references: [String: String] = [:]

    /// A source.
    public init(
        id: String,
        plugin: String,
        interval: Nanoseconds,
        labels: [Attribute] = [],
        options: OptionValues = OptionValues()
    ) {
        self.id = id
        self.plugin = plugin
        self.interval = interval
        self.labels = labels
        self.options = options
    }
}

extension SourceConfiguration: InstanceConfiguration {
    private static let standard = SourceConfiguration(id: "", plugin: "", interval: .zero)

    /// The keys of every source beside those that identify it, in the order in which they are shown.
    public static let keys = ownKeys + limitKeys

    private static let ownKeys: [ConfigurationOption<SourceConfiguration>] = [
        ConfigurationOption(
            "interval", \.interval, .duration(ConfigurationSchema.intervals), of: nil,
            help: "How often it is read. The second reading comes half an interval to one and a half after the first, "
                + "as the agent's id says: hosts that start together do not send together."),
        ConfigurationOption(
            "labels", \.labels, .map, of: standard,
            help: "Labels on its points; they win over the agent's of the same name. Points do not carry the `id`: two "
                + "sources of one plugin need labels that differ, or receivers take their series for one "
                + "(`SND-CFG034`, a warning)."),
        ConfigurationOption(
            "level", \.level, .choice, of: standard,
            help:
                "How much of it is sent: `core` is what dashboards and alerts are made of, `extended` what a person looks "
                + "for once something is wrong, `all` everything. Tables on the terminal, snapshots and history have what "
                + "they need at each level."),
        ConfigurationOption(
            "series_limit", \.seriesLimit, .count(1...1_000_000), unset: "the plugin's, else 50000",
            help: "How many series it may have open; further ones are refused and counted (`SND-PLG024`)."),
        ConfigurationOption("isolation", \.isolation, .choice, unset: Isolation.usual, help: Isolation.help),
        ConfigurationOption(
            "sandbox", \.sandbox, .choice, unset: "on for pcap, drops and others that are made for it",
            help:
                "Whether its process gives up every capability, file and socket that it has not opened at its start. Only "
                + "`off` lets a plugin that is made for it keep them, or run `in_process`."),
    ]
}
