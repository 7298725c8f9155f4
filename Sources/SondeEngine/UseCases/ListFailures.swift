public import SondeDomain

/// Lists what is broken now, with the possible remedies.
public struct ListFailures: Sendable {
    private let board: StatusBoard

    /// A use case over what instances have published.
    public init(board: StatusBoard) {
        self.board = board
    }

    /// What is broken: the agent and its storage first, then sources and sinks in the order of the configuration.
    public func callAsFunction() -> [Snapshot.Failure] {
        let (reading, agent, instances) = board.troubles
        let stored = agent.map { Snapshot.Failure($0, of: "agent", next: nil, reading) }
        return stored
            + instances.flatMap { status in
                ([status.failure, status.hang].compactMap(\.self).filter { $0.ended == nil } + status.troubles).map {
                    Snapshot.Failure($0, of: status.id, next: status.nextAttempt, reading)
                }
            }
    }
}

extension Snapshot.Failure {
    fileprivate init(
        _ failure: InstanceStatus.Failure,
        of instance: String,
        next: MonotonicInstant?,
        _ reading: ClockReading
    ) {
        self.init(
            code: failure.error.code,
            instance: instance,
            failureClass: failure.error.failureClass,
            since: reading.wallTime(of: failure.since),
            message: failure.error.message,
            nextAttempt: next.map(reading.wallTime),
            actions: Self.actions(failure.error.failureClass, isInstance: instance != "agent"),
            advice: failure.error.advice
        )
    }

    /// The remedies by class: the agent's own storage is retried automatically.
    private static func actions(_ failureClass: FailureClass, isInstance: Bool) -> [Action] {
        (isInstance ? [.retryNow] : []) + (failureClass.mayEndByReconfiguring ? [.reconfigure] : [])
    }
}
