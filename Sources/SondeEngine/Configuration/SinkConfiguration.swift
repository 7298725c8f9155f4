public import SondeDomain

/// One entry of `sinks:`.
public struct SinkConfiguration: Sendable {
    /// When a batch is cut.
    public struct BatchLimits: Hashable, Sendable {
        /// At most this many points.
        public var samples = 5_000
        /// At most about this many bytes in memory.
        public var bytes: Int64 = 1 << 20
        /// At the latest this long after its first point; nil: 1 s for a durable sink, 200 ms for a live one.
        public var wait: Nanoseconds?

        /// The defaults.
        public init() {}
    }

    /// How long a failed batch waits: `uniform(base, min(cap, base * 2^n))`.
    public struct RetryLimits: Hashable, Sendable {
        /// The shortest wait.
        public var base = Nanoseconds.seconds(1)
        /// The longest wait.
        public var cap = Nanoseconds.seconds(60)

        /// The defaults.
        public init() {}
    }

    /// What happens to batches when a receiver refuses the agent's credentials or address.
    public enum AccessPolicy: String, Hashable, Sendable, CaseIterable {
        /// They are held until a person has fixed it; nothing is lost while the spool has room.
        case hold
        /// They are set aside, as the receiving protocols require.
        case reject
    }

    /// Which metrics a sink gets, by glob on the metric's name.
    public struct MetricFilter: Hashable, Sendable {
        /// Globs of which one must match; empty: every metric.
        public var include: [String] = []
        /// Globs of which none may match.
        public var exclude: [String] = []

        /// Every metric.
        public init() {}
    }

    /// Unique among sources and sinks.
    public var id: String
    /// The plugin's name.
    public var plugin: String
    /// When a batch is cut.
    public var batch = BatchLimits()
    /// How long a failed batch waits.
    public var retry = RetryLimits()
    /// What happens when the receiver refuses access.
    public var onAuthError = AccessPolicy.hold
    /// How much of what was refused permanently is kept; zero: nothing.
    public var deadLetterMaxBytes: Int64 = 64 << 20
    /// What it is sent; nil: the plugin's preference.
    public var send: SendContent?
    /// Which metrics it gets.
    public var metrics = MetricFilter()
    /// What is put before the name of each metric.
    public var prefix = ""
    /// Which series it gets by their labels, and how labels are changed.
    public var relabel = SeriesSelection.Relabelling()
    /// How many series it gets at the most; nil: all.
    public var maxSeries: Int?
    /// How old a sample may be when its batch is cut; nil: any age.
    public var maxSampleAge: Nanoseconds?
    /// Where it runs; nil: as is usual for a plugin from its directory.
    public var isolation: Isolation?
    /// What its processes may use.
    public var limits = ProcessLimits()
    /// The plugin's own options.
    public var options: OptionValues
    /// The place of each value that the file sets, by dotted path; the entry itself under the empty path.
    public var marks: [String: SourceMark] = [:]
    /// The text as the file has it, by dotted path, of values that contain references; their values may be secret.
    public var references: [String: String] = [:]

    /// A sink.
    public init(id: String, plugin: String, options: OptionValues = OptionValues()) {
        self.id = id
        self.plugin = plugin
        self.options = options
    }
}

extension SinkConfiguration: InstanceConfiguration {
    /// Sinks keep what they have.
    public var sandbox: Sandbox? { nil }

    private typealias Option = ConfigurationOption<SinkConfiguration>

    private static let standard = SinkConfiguration(id: "", plugin: "")
    private static let ages = Nanoseconds.seconds(1)...Nanoseconds.seconds(365 * 86_400)
    private static let waits = Nanoseconds.milliseconds(1)...Nanoseconds.seconds(86_400)

    /// The keys of every sink beside those that identify it, in the order in which they are shown.
    public static let keys = ownKeys + limitKeys

    private static let ownKeys: [ConfigurationOption<SinkConfiguration>] = [
        Option(
            "batch.samples", \.batch.samples, .count(1...1_000_000), of: standard,
            help: "A batch has at most this many points."),
        Option(
            "batch.bytes", \.batch.bytes, .size((1 << 10)...(64 << 20)), of: standard,
            help: "A batch has at most about this many bytes in memory."),
        Option(
            "batch.wait", \.batch.wait, .duration(waits), unset: "1s for a durable sink, 200ms for a live one",
            help: "A batch is cut at the latest this long after its first point."),
        Option("retry.base", \.retry.base, .duration(waits), of: standard, help: "The shortest wait after a failure."),
        Option(
            "retry.cap", \.retry.cap, .duration(waits), of: standard,
            help: "The longest wait after a failure, not below `retry.base`."),
        Option(
            "on_auth_error", \.onAuthError, .choice, of: standard,
            help: "Whether batches are held or set aside while the receiver refuses credentials or path (HTTP 401, "
                + "403, 404, 407)."),
        Option(
            "dead_letter.max_bytes", \.deadLetterMaxBytes, .size(0...(1 << 40)), of: standard,
            help: "How much of what was refused permanently is kept in `<state_dir>/dead-letter/<id>`; 0 keeps nothing."
        ),
        Option(
            "send", \.send, .content, unset: "what the plugin prefers",
            help: "What it is sent: metrics, snapshots or both."),
        Option(
            "metrics.include", \.metrics.include, .list, of: standard,
            help: "Globs of which one must match a metric's name; all when not set."),
        Option(
            "metrics.exclude", \.metrics.exclude, .list, of: standard,
            help: "Globs of which none may match a metric's name."),
        Option("isolation", \.isolation, .choice, unset: Isolation.usual, help: Isolation.help),
        Option(
            "prefix", \.prefix, .text, of: standard, help: "What is put before each metric's name, as in `acme.`."),
        Option(
            "relabel.keep", \.relabel.keep, .map, of: standard,
            help: "Labels and globs: only series whose labels match all of them are sent."),
        Option(
            "relabel.drop", \.relabel.drop, .map, of: standard,
            help: "Labels and globs: series with a label that matches are not sent."),
        Option("relabel.rename", \.relabel.rename, .map, of: standard, help: "Labels and their new names."),
        Option(
            "relabel.remove", \.relabel.remove, .list, of: standard,
            help: "Globs on names of labels that are taken out, after `relabel.rename`."),
        Option(
            "relabel.add", \.relabel.add, .map, of: standard,
            help: "Labels that every series gets, unless it has one of that name."),
        Option(
            "max_series", \.maxSeries, .count(1...10_000_000), unset: "no bound",
            help: "Points of series beyond this many are left out and counted as `sink_series_limit`."),
        Option(
            "max_sample_age", \.maxSampleAge, .duration(ages), unset: "no bound",
            help: "Points that are older when their batch is cut are left out and counted as `too_old_for_sink`."),
    ]
}
