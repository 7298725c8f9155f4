public import SondeDomain

/// An order of a person to one sink while the agent runs.
public struct SinkOrder: Hashable, Sendable {
    /// What is to be done.
    public enum Work: Hashable, Sendable {
        /// Drops what waits: all that waits when the order begins, or only its oldest part, up to a time.
        case purgeWaiting(before: Timestamp?)
        /// Removes dead letters: all, or only those whose newest point is older than a time.
        case purgeDeadLetters(before: Timestamp?)
        /// Offers dead letters again, in this order.
        case replayDeadLetters([String])
    }

    /// Unique among the orders of its sink.
    public let id: UInt64
    /// What is to be done.
    public let work: Work
}

/// The state of an order.
public struct SinkOrderReport: Hashable, Sendable {
    /// Its phase.
    public enum State: String, Hashable, Sendable {
        /// The sink's thread has not begun it.
        case waiting
        /// It is running; between two attempts too.
        case running
        /// It has been executed as far as possible.
        case done
        /// It was abandoned.
        case failed
    }

    /// The order.
    public let order: SinkOrder
    /// Its phase.
    public var state = State.waiting
    /// Batches delivered, or dead letters removed.
    public var batches: UInt64 = 0
    /// Points and documents delivered or dropped.
    public var points: UInt64 = 0
    /// Batches that were refused again, or that were gone.
    public var refused: UInt64 = 0
    /// The last failure.
    public var failure: SondeError?
}
