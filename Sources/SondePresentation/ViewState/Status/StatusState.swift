public import SondeDomain
internal import SondeEngine

/// The status of a running agent, as `sonde status` shows it.
public struct StatusState: Hashable, Sendable {
    /// A failure that lasts.
    public struct Failure: Hashable, Sendable {
        /// `SND-CRL003`.
        public var code: String
        /// `transient`.
        public var failureClass: String?
        /// `deliver`.
        public var stage: String?
        /// What failed.
        public var message: String
        /// What led to it, outermost first.
        public var cause: [String]
        /// When the first of the row came.
        public var since: Timestamp?
        /// How many there were in a row.
        public var count: UInt64?
        /// What a person can do.
        public var recovery: [String]
        /// How long the other side asked to wait, if it did.
        public var retryAfter: Nanoseconds?
        /// The option at fault, if there is one.
        public var option: String?
        /// The place of the option at fault, if there is one.
        public var place: String?
    }

    /// What waits for a sink.
    public struct Queue: Hashable, Sendable {
        /// How many points and documents.
        public var points: UInt64?
        /// About how many bytes.
        public var bytes: UInt64?
        /// When the oldest came.
        public var oldest: Timestamp?
    }

    /// One source or sink.
    public struct Instance: Hashable, Sendable {
        /// The `id` in the configuration.
        public var id: String
        /// The plugin's name.
        public var plugin: String?
        /// `backing_off`.
        public var state: String?
        /// `on` or `off`; nil: its plugin is not made to be confined.
        public var sandbox: String?
        /// `control_group` or `sampling`; nil: it has no limits.
        public var limits: String?
        /// When it last did what it should.
        public var lastSuccess: Timestamp?
        /// When it acts next without a request.
        public var nextAttempt: Timestamp?
        /// What waits for it; nil for a source.
        public var queue: Queue?
        /// What keeps it from doing what it should.
        public var failures: [Failure]

        /// Whether it does not do what it should; a state unknown to this version counts as failing.
        public var isFailing: Bool {
            !failures.isEmpty || state.flatMap(InstanceState.init)?.isFailing ?? true
        }
    }

    /// Something that was not accepted: a sample, a series, a point of a batch.
    public struct Rejection: Hashable, Sendable {
        /// The source or sink.
        public var component: String
        /// `sample`, `series` or `point`.
        public var what: String
        /// The metric; empty when it is unknown.
        public var metric: String
        /// Short and stable.
        public var reason: String
        /// How many.
        public var count: UInt64?
    }

    /// Something that was lost.
    public struct Loss: Hashable, Sendable {
        /// The source or sink.
        public var component: String
        /// Short and stable.
        public var reason: String
        /// How much, if it is known.
        public var count: UInt64?
        /// When it last happened, if it is known.
        public var to: Timestamp?
    }

    /// The remote configuration.
    public struct Remote: Hashable, Sendable {
        /// Its address.
        public var url: String
        /// `probation`.
        public var state: String?
        /// The number of the one in force.
        public var serial: UInt64?
        /// The number of the one that was taken back.
        public var failedSerial: UInt64?
        /// How much of its probation is left.
        public var probationLeft: Nanoseconds?
        /// What prolongs the probation.
        public var waitsFor: [String]
        /// When the server last answered.
        public var lastAnswer: Timestamp?
        /// When it is asked next.
        public var nextRequest: Timestamp?
    }

    /// What the agent uses of its limits, and what it does without to stay within them.
    public struct Limits: Hashable, Sendable {
        /// The level of saving; 0: nothing is saved.
        public var level: UInt64?
        /// The levels that make a difference.
        public var levels: [UInt64]
        /// The steps that are taken.
        public var saved: [String]
        /// Since when the level is in force.
        public var since: Timestamp?
        /// The share of one processor that is used.
        public var processors: Double?
        /// And may be.
        public var processorLimit: Double?
        /// The bytes of memory that are used.
        public var memory: UInt64?
        /// And may be.
        public var memoryLimit: UInt64?
    }

    /// The instant of all this, by the agent's clock.
    public var time: Timestamp?
    /// The agent's version.
    public var version: String?
    /// Its process.
    public var processID: UInt64?
    /// When it started.
    public var started: Timestamp?
    /// Its configuration file; nil: the built-in configuration.
    public var configurationPath: String?
    /// The remote configuration; nil: there is none.
    public var remote: Remote?
    /// `memory` or `disk`.
    public var spoolKind: String?
    /// The bound of the spool in bytes.
    public var spoolMaxBytes: UInt64?
    /// What it uses of its limits; nil: it has none.
    public var limits: Limits?
    /// What is wrong with the agent itself.
    public var agentFailures: [Failure]
    /// What fails on the storage of the spool.
    public var spoolFailures: [Failure]
    /// Sources, then sinks.
    public var instances: [Instance]
    /// What was lost.
    public var losses: [Loss]
    /// What was rejected.
    public var rejections: [Rejection] = []

    /// Whether the agent, a source, a sink or the spool between them does not do what it should.
    public var isFailing: Bool {
        !agentFailures.isEmpty || !spoolFailures.isEmpty || instances.contains(where: \.isFailing)
    }
}
