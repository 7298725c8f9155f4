public import SondeDomain

/// What an agent is and what has become of everything in it, at one instant.
public struct AgentStatus: Sendable {
    /// One source or sink.
    public struct Instance: Hashable, Sendable {
        /// What it has published.
        public var status: InstanceStatus
        /// What waits for it; nil for a source.
        public var backlog: Backlog?
    }

    /// What does not change.
    public var facts: AgentFacts
    /// When the agent started.
    public var started: MonotonicInstant
    /// The instant of all this.
    public var reading: ClockReading
    /// What is wrong with the agent itself: a configuration that it could not take.
    public var agentFailures: [InstanceStatus.Failure]
    /// What fails on the storage of the log.
    public var storageFailures: [InstanceStatus.Failure]
    /// The sources in the order of the configuration, then the sinks.
    public var instances: [Instance]
    /// Everything that was lost.
    public var losses: [LossLedger.Entry]
}

/// Both clocks at one instant, to tell people when something on the monotonic clock was or will be.
public struct ClockReading: Hashable, Sendable {
    /// The wall clock.
    public var wall: Timestamp
    /// The monotonic clock.
    public var monotonic: MonotonicInstant

    /// A reading of `clock`.
    public init(_ clock: any Clock) {
        wall = clock.wallTime
        monotonic = clock.monotonicTime
    }

    /// What the wall clock shows, as it is set now, at an instant; clamped.
    public func wallTime(of instant: MonotonicInstant) -> Timestamp {
        let distance = instant.since(monotonic).value
        let (sum, overflow) = wall.nanoseconds.addingReportingOverflow(distance)
        return Timestamp(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
    }
}
