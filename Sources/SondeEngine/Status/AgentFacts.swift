public import SondeDomain

/// What does not change while an agent runs.
public struct AgentFacts: Hashable, Sendable {
    /// How the log between sources and sinks is kept.
    public struct Spool: Hashable, Sendable {
        /// Where it is kept.
        public enum Kind: String, Hashable, Sendable {
            /// In memory: what waits is lost when the agent ends.
            case memory
            /// On disk.
            case disk
        }

        /// Where it is kept.
        public var kind: Kind
        /// Its bound in bytes.
        public var maxBytes: Int64
        /// What happens at the bound.
        public var overflow: AgentSettings.OverflowPolicy
        /// Identifies the log.
        public var epoch: String
        /// Why it is in memory although a state directory is configured; nil: it is where it should be.
        public var failure: SondeError?

        /// Facts.
        public init(
            kind: Kind,
            maxBytes: Int64,
            overflow: AgentSettings.OverflowPolicy,
            epoch: String,
            failure: SondeError? = nil
        ) {
            self.kind = kind
            self.maxBytes = maxBytes
            self.overflow = overflow
            self.epoch = epoch
            self.failure = failure
        }
    }

    /// The version of the agent.
    public var version: String
    /// Its process.
    public var processID: Int32
    /// The agent's identity.
    public var id: String
    /// The host name on every point, if there is one.
    public var host: String?
    /// The configuration file; nil: the built-in configuration.
    public var configurationPath: String?
    /// The log between sources and sinks.
    public var spool: Spool

    /// Facts.
    public init(
        version: String, processID: Int32, id: String, host: String?, configurationPath: String?, spool: Spool
    ) {
        self.version = version
        self.processID = processID
        self.id = id
        self.host = host
        self.configurationPath = configurationPath
        self.spool = spool
    }
}
