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
    public enum EventLogFormat: String, Sendable, CaseIterable {
        /// As text.
        case text
        /// One JSON object per line.
        case json
    }

    /// What happens to points that do not fit the spool.
    public enum OverflowPolicy: String, Sendable, CaseIterable {
        /// The oldest points are dropped; the newest state matters most.
        case dropOldest = "drop_oldest"
        /// New points are refused.
        case dropNewest = "drop_newest"
    }

    /// Where a running agent answers requests.
    public enum ControlSocket: Hashable, Sendable {
        /// At the default path of the kind of installation.
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
    /// Where a running agent answers requests.
    public var controlSocket = ControlSocket.standard
    /// The group whose members may read there; nil: none.
    public var controlGroup: String?
    /// Where plugins are looked for before the default directories.
    public var pluginDirectories: [String] = []
    /// How long a stop may take.
    public var shutdownGrace = Nanoseconds.seconds(10)
    /// The least urgent line that is logged.
    public var logLevel = LogLevel.info
    /// How the log is written.
    public var logFormat = EventLogFormat.text
    /// When what was appended to the log on disk is made to survive a power cut; a killed process loses nothing.
    public enum Synchronization: String, Hashable, Sendable, CaseIterable {
        /// Within two seconds, and before a batch is offered.
        case interval
        /// Before a source's commit returns.
        case always
        /// Never; sequence numbers begin a new epoch at every start.
        case none
    }

    /// The default bound of a log on disk.
    public static let diskSpoolBytes: Int64 = 256 << 20
    /// The default bound of a log in memory.
    public static let memorySpoolBytes: Int64 = 16 << 20

    /// The log's bound in bytes; nil: ``diskSpoolBytes`` or ``memorySpoolBytes``.
    public var spoolMaxBytes: Int64?
    /// On disk: what is older is dropped.
    public var spoolMaxAge = Nanoseconds.seconds(7 * 86_400)
    /// On disk: space that is kept free; nil: the smaller of 5 % and 100 MiB.
    public var spoolMinFree: Int64?
    /// On disk: when what was appended survives a power cut.
    public var spoolSync = Synchronization.interval
    /// What happens at the bound.
    public var overflow = OverflowPolicy.dropOldest
    /// The bound of the history in bytes, its log included.
    public var historyMaxBytes: Int64 = 38 << 20
    /// Where more configuration comes from.
    public var remote = RemoteSettings()
    /// What the agent and its child processes may use together.
    public var limits = AgentLimits()
    /// The place of each value that a file sets, by dotted path: `log.level`.
    public var marks: [String: SourceMark] = [:]
    /// The text as the file has it, by dotted path, of values that contain references; their values may be secret.
    public var references: [String: String] = [:]

    /// The defaults.
    public init() {}
}
