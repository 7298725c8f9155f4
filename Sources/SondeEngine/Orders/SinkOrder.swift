public import SondeDomain

/// Something that a person asks of one sink while the agent runs.
public struct SinkOrder: Hashable, Sendable {
    /// What is asked.
    public enum Work: Hashable, Sendable {
        /// Drops what waits: all that waits when the order is taken up, or only what leads it and is older than a time.
        case purgeWaiting(before: Timestamp?)
        /// Removes dead letters: all, or only those whose newest point is older than a time.
        case purgeDeadLetters(before: Timestamp?)
        /// Offers dead letters again, in this order.
        case replayDeadLetters([String])
    }

    /// Tells it from the other orders of its sink.
    public let id: UInt64
    /// What is asked.
    public let work: Work
}

/// What has become of an order.
public struct SinkOrderReport: Hashable, Sendable {
    /// How far it is.
    public enum State: String, Hashable, Sendable {
        /// The sink's thread has not taken it up.
        case waiting
        /// It is being carried out; between two attempts too.
        case running
        /// It was carried out as far as that was possible.
        case done
        /// It was given up.
        case failed
    }

    /// The order.
    public let order: SinkOrder
    /// How far it is.
    public var state = State.waiting
    /// Batches delivered, or dead letters removed.
    public var batches: UInt64 = 0
    /// Points and documents delivered or dropped.
    public var points: UInt64 = 0
    /// Batches that were refused again, or that were there no more.
    public var refused: UInt64 = 0
    /// The last failure.
    public var failure: SondeError?
}
