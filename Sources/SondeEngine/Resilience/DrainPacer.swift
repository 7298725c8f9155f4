public import SondeDomain

/// Slows the delivery of what piled up during an outage or while the agent was down, so that many hosts do not overrun a
/// receiver that has just come back.
///
/// The drain begins at the rate at which points are collected, doubles with every batch that is accepted, and stays at
/// four times that rate until no more than one batch waits. Not thread-safe.
public struct DrainPacer: Sendable {
    /// How much faster than it was collected a backlog is delivered at the most.
    public static let fastest = 4.0
    // A shorter outage piles up nothing worth pacing, and a shorter look says little of a rate.
    private static let shortestOutage = Nanoseconds.seconds(5)

    private struct Outage {
        let began: MonotonicInstant
        let tail: UInt64
    }

    /// What a process found at its start.
    ///
    /// How long that took to pile up is not known, so the rate is what is collected from then on.
    private struct Resumption {
        let began: MonotonicInstant
        let backlog: Int
        var accepted = 0

        func collected(_ backlog: Int, at time: MonotonicInstant) -> Double {
            let grown = max(0, Double(backlog) + Double(accepted) - Double(self.backlog))
            return max(1, grown / max(time.since(began), shortestOutage).seconds)
        }
    }

    private let batchSize: Int
    private var outage: Outage?
    private var resumption: Resumption?
    private var collected: Double?
    private var factor = 1.0

    /// A pacer for batches of at most `batchSize`.
    public init(batchSize: Int) {
        self.batchSize = max(1, batchSize)
    }

    /// The process began with what an earlier one has left.
    public mutating func resumed(backlog: Int, at time: MonotonicInstant) {
        resumption = Resumption(began: time, backlog: backlog)
        // The first batch that is accepted doubles it to one.
        factor = 0.5
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
        factor = min(Self.fastest, factor * 2)
        resumption?.accepted += count
        if let outage {
            self.outage = nil
            begin(outage, tail: tail, at: time)
        }
        guard backlog > batchSize, let rate = resumption?.collected(backlog, at: time) ?? collected else {
            collected = nil
            resumption = nil
            return .zero
        }
        let seconds = Double(count) / (rate * factor)
        return Nanoseconds(Int64(min(seconds, 60) * 1e9))
    }

    private mutating func begin(_ outage: Outage, tail: UInt64, at time: MonotonicInstant) {
        let span = time.since(outage.began)
        guard span >= Self.shortestOutage, tail > outage.tail else { return }
        collected = max(1, Double(tail - outage.tail) / span.seconds)
        resumption = nil
        factor = 1
    }
}
