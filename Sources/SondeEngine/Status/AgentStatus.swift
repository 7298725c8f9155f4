public import SondeDomain

/// The agent and the state of all its instances, at one instant.
public struct AgentStatus: Sendable {
    /// One source or sink.
    public struct Instance: Hashable, Sendable {
        /// Its published status.
        public var status: InstanceStatus
        /// What waits for it; nil for a source.
        public var backlog: Backlog?
    }

    /// What does not change.
    public var facts: AgentFacts
    /// When the agent started.
    public var started: MonotonicInstant
    /// The instant of the status.
    public var reading: ClockReading
    /// The remote configuration; nil: there is none.
    public var remote: RemoteStatus?
    /// Failures of the agent itself: a configuration that it could not apply.
    public var agentFailures: [InstanceStatus.Failure]
    /// What the agent uses of its limits; nil: it has none.
    public var limits: LimitStatus?
    /// Failures of the log's storage.
    public var storageFailures: [InstanceStatus.Failure]
    /// The sources in the order of the configuration, then the sinks.
    public var instances: [Instance]
    /// Everything that was lost.
    public var losses: [LossLedger.Entry]
}

/// Both clocks at one instant, to show instants of the monotonic clock as wall time.
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

    /// The wall time of an instant, as the clock is set now; clamped.
    public func wallTime(of instant: MonotonicInstant) -> Timestamp {
        let distance = instant.since(monotonic).value
        let (sum, overflow) = wall.nanoseconds.addingReportingOverflow(distance)
        return Timestamp(nanoseconds: overflow ? (distance < 0 ? .min : .max) : sum)
    }
}
