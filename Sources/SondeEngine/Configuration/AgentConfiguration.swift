public import SondeDomain

/// Everything that one run of the agent is configured with: checked, defaulted, references replaced.
public struct AgentConfiguration: Sendable {
    /// What concerns the agent as a whole.
    public var agent: AgentSettings
    /// The enabled sources in the order of the file.
    public var sources: [SourceConfiguration]
    /// The enabled sinks in the order of the file.
    public var sinks: [SinkConfiguration]

    /// A configuration.
    public init(
        agent: AgentSettings = AgentSettings(),
        sources: [SourceConfiguration] = [],
        sinks: [SinkConfiguration] = []
    ) {
        self.agent = agent
        self.sources = sources
        self.sinks = sinks
    }
}

/// The `agent:` section.
public struct AgentSettings: Sendable {
    /// How the log is written.
    public enum LogFormat: String, Sendable, CaseIterable {
        /// For people.
        case text
        /// One JSON object per line.
        case json
    }

    /// What happens to points that do not fit the queue.
    public enum OverflowPolicy: String, Sendable, CaseIterable {
        /// The oldest points give way; the freshest state matters most.
        case dropOldest = "drop_oldest"
        /// New points are refused.
        case dropNewest = "drop_newest"
    }

    /// Where people ask a running agent.
    public enum ControlSocket: Hashable, Sendable {
        /// Where the kind of installation has it.
        case standard
        /// Nowhere.
        case none
        /// At this path.
        case path(String)
    }

    /// The interval of sources that set none; 100 ms to 24 h.
    public var interval = Nanoseconds.seconds(10)
    /// Labels on every point.
    public var labels: [Attribute] = []
    /// The host name on every point; nil: the machine's own.
    public var host: String?
    /// Where state is kept; nil: nowhere.
    public var stateDirectory: String?
    /// Where people ask a running agent.
    public var controlSocket = ControlSocket.standard
    /// Where plugins are looked for before the default directories.
    public var pluginDirectories: [String] = []
    /// How long a stop may take.
    public var shutdownGrace = Nanoseconds.seconds(10)
    /// The least urgent line that is logged.
    public var logLevel = LogLevel.info
    /// How the log is written.
    public var logFormat = LogFormat.text
    /// When what was appended to the log on disk is made to survive a power cut; a killed process loses nothing.
    public enum Synchronization: String, Hashable, Sendable, CaseIterable {
        /// Within two seconds, and before a batch is offered.
        case interval
        /// Before a source is told that its samples were taken.
        case always
        /// Never; sequence numbers begin a new epoch at every start.
        case none
    }

    /// The bound of a log on disk that is given none.
    public static let diskSpoolBytes: Int64 = 256 << 20
    /// The bound of a log in memory that is given none.
    public static let memorySpoolBytes: Int64 = 16 << 20

    /// The log's bound in bytes; nil: ``diskSpoolBytes`` or ``memorySpoolBytes``.
    public var spoolMaxBytes: Int64?
    /// On disk: what is older gives way.
    public var spoolMaxAge = Nanoseconds.seconds(7 * 86_400)
    /// On disk: room that is left to others; nil: the smaller of 5 % and 100 MiB.
    public var spoolMinFree: Int64?
    /// On disk: when what was appended survives a power cut.
    public var spoolSync = Synchronization.interval
    /// What happens at the bound.
    public var overflow = OverflowPolicy.dropOldest
    /// The bound of the history in bytes, its log included.
    public var historyMaxBytes: Int64 = 38 << 20
    /// Where each value that a file sets stands, by dotted path: `log.level`.
    public var marks: [String: SourceMark] = [:]

    /// The defaults.
    public init() {}
}

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
    /// How many series it may have open; nil: what its plugin says.
    public var seriesLimit: Int?
    /// The plugin's own options.
    public var options: OptionValues
    /// Where each value that the file sets stands, by dotted path; the entry itself under the empty path.
    public var marks: [String: SourceMark] = [:]

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

    /// What happens to batches when a receiver refuses who the agent is or where it knocks.
    public enum AccessPolicy: String, Hashable, Sendable, CaseIterable {
        /// They are held until a person has mended it; nothing is lost while the spool has room.
        case hold
        /// They are set aside, as the receiving protocols ask for.
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
    /// How much of what was refused for good is kept; zero: nothing.
    public var deadLetterMaxBytes: Int64 = 64 << 20
    /// What it is sent; nil: what the plugin prefers.
    public var send: SendContent?
    /// Which metrics it gets.
    public var metrics = MetricFilter()
    /// The plugin's own options.
    public var options: OptionValues
    /// Where each value that the file sets stands, by dotted path; the entry itself under the empty path.
    public var marks: [String: SourceMark] = [:]

    /// A sink.
    public init(id: String, plugin: String, options: OptionValues = OptionValues()) {
        self.id = id
        self.plugin = plugin
        self.options = options
    }
}
