public import SondeDomain

/// Slows the delivery of what piled up during an outage, so that many hosts do not overrun a receiver that has just come
/// back.
///
/// The drain begins at the rate at which points were collected meanwhile, doubles with every batch that is accepted, and
/// stays at four times that rate until no more than one batch waits. Not thread-safe.
public struct DrainPacer: Sendable {
    /// How much faster than it was collected a backlog is delivered at the most.
    public static let fastest = 4.0
    // A shorter outage piles up nothing worth pacing.
    private static let shortestOutage = Nanoseconds.seconds(5)

    private struct Outage {
        let began: MonotonicInstant
        let tail: UInt64
    }

    private let batchSize: Int
    private var outage: Outage?
    private var collected: Double?
    private var factor = 1.0

    /// A pacer for batches of at most `batchSize`.
    public init(batchSize: Int) {
        self.batchSize = max(1, batchSize)
    }

    /// A delivery failed while the log had grown to `tail`.
    public mutating func failed(tail: UInt64, at time: MonotonicInstant) {
        if outage == nil { outage = Outage(began: time, tail: tail) }
    }

    /// A batch was accepted; returns how long to wait before the next one.
    public mutating func accepted(
        _ count: Int,
        backlog: Int,
        tail: UInt64,
        at time: MonotonicInstant
    ) -> Nanoseconds {
        if let outage {
            self.outage = nil
            begin(outage, tail: tail, at: time)
        } else {
            factor = min(Self.fastest, factor * 2)
        }
        guard let collected, backlog > batchSize else {
            self.collected = nil
            return .zero
        }
        let seconds = Double(count) / (collected * factor)
        return Nanoseconds(Int64(min(seconds, 60) * 1e9))
    }

    private mutating func begin(_ outage: Outage, tail: UInt64, at time: MonotonicInstant) {
        let span = time.since(outage.began)
        guard span >= Self.shortestOutage, tail > outage.tail else { return }
        collected = max(1, Double(tail - outage.tail) / span.seconds)
        factor = 1
    }
}
