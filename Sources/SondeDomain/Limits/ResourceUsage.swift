/// What the agent and its child processes use, at one instant.
public struct ResourceUsage: Hashable, Sendable {
    /// When.
    public var instant: MonotonicInstant
    /// Processor time so far in seconds, of processes that have ended too; nil: not known.
    public var processorSeconds: Double?
    /// Memory of their own in bytes, what is shared with files apart; nil: not known.
    public var memory: UInt64?

    /// The usage at an instant.
    public init(at instant: MonotonicInstant, processorSeconds: Double?, memory: UInt64?) {
        self.instant = instant
        self.processorSeconds = processorSeconds
        self.memory = memory
    }
}

/// What the agent and its child processes may use together; nil: no limit.
public struct ResourceLimits: Hashable, Sendable {
    /// A share of one processor: 0.02 for two percent.
    public var processors: Double?
    /// Bytes of memory.
    public var memory: UInt64?

    /// Limits.
    public init(processors: Double? = nil, memory: UInt64? = nil) {
        self.processors = processors
        self.memory = memory
    }

    /// Whether there is none.
    public var isEmpty: Bool { processors == nil && memory == nil }
}
