public import SondeDomain

/// Slows the delivery of what piled up during an outage or while the agent was down, so that hosts do not overload a
/// receiver that is just reachable again.
///
/// The drain begins at the rate at which points are collected, doubles with every batch that is accepted, and stays at
/// four times that rate until no more than one batch waits. What would take more than an hour is drained within an
/// hour instead. Not thread-safe.
public struct DrainPacer: Sendable {
    /// How much faster than it was collected a backlog is delivered at the most.
    public static let fastest = 4.0
    /// About how long a drain takes at the most, where the receiver keeps up.
    public static let longestDrain = Nanoseconds.seconds(3_600)
    // Of the pace at which points are collected.
    private static let slowest = 0.5
    // After a shorter outage pacing is not needed, and a shorter sample is a poor estimate of a rate.
    private static let shortestOutage = Nanoseconds.seconds(5)

    private struct Outage {
        let began: MonotonicInstant
        let tail: UInt64
    }

    /// The backlog that a process found at its start.
    ///
    /// The rate is what is collected from then on, or that at which it piled up, the time without an agent included:
    /// the busiest source may be gone.
    private struct Resumption {
        let began: MonotonicInstant
        let backlog: Int
        var accepted = 0
        private let piledUp: Double

        init(_ backlog: Backlog, at time: MonotonicInstant) {
            began = time
            self.backlog = backlog.count
            let age = backlog.oldest.map { time.since($0) } ?? .zero
            piledUp = age >= shortestOutage ? Double(backlog.count) / age.seconds : 0
        }

        /// How long is collected until there is a rate.
        func timeUntilKnown(at time: MonotonicInstant) -> Nanoseconds {
            Nanoseconds(shortestOutage.value - time.since(began).value)
        }

        func collected(_ backlog: Int, at time: MonotonicInstant) -> Double {
            let grown = max(0, Double(backlog) + Double(accepted) - Double(self.backlog))
            return max(1, piledUp, grown / time.since(began).seconds)
        }
    }

    private let batchSize: Int
    private var outage: Outage?
    private var resumption: Resumption?
    private var collected: Double?
    private var factor = 1.0
    /// The most that has waited since the drain began.
    private var largestBacklog = 0

    /// A pacer for batches of at most `batchSize`.
    public init(batchSize: Int) {
        self.batchSize = max(1, batchSize)
    }

    /// The process began with the backlog of an earlier one.
    public mutating func resumed(_ backlog: Backlog, at time: MonotonicInstant) {
        resumption = Resumption(backlog, at: time)
        largestBacklog = backlog.count
        // The first batch that is accepted doubles it to one.
        factor = 0.5
    }

    /// A delivery failed while the log had grown to `tail`.
    public mutating func failed(tail: UInt64, at time: MonotonicInstant) {
        if outage == nil { outage = Outage(began: time, tail: tail) }
    }

    /// The receiver asked to slow down: the drain goes on at half its pace, and doubles with every batch that is accepted.
    public mutating func slowDown() {
        // The batch that is accepted next doubles it once.
        factor = max(Self.slowest, factor / 4)
    }

    /// A batch was accepted; returns how long to wait before the next one.
    public mutating func accepted(
        _ count: Int,
        backlog: Int,
        tail: UInt64,
        at time: MonotonicInstant
    ) -> Nanoseconds {
        resumption?.accepted += count
        let beginsAnew = endOutage(tail: tail, at: time)
        if let early = resumption?.timeUntilKnown(at: time), early > .zero, backlog > batchSize { return early }
        if !beginsAnew { factor = min(Self.fastest, factor * 2) }
        guard backlog > batchSize, let rate = resumption?.collected(backlog, at: time) ?? collected else {
            collected = nil
            resumption = nil
            largestBacklog = 0
            return .zero
        }
        largestBacklog = max(largestBacklog, backlog)
        let seconds = Double(count) / (fullPace(rate) * factor / Self.fastest)
        return Nanoseconds(Int64(min(seconds, 60) * 1e9))
    }

    /// How many a second are delivered once the drain has its pace, where `rate` a second are collected.
    private func fullPace(_ rate: Double) -> Double {
        max(rate * Self.fastest, rate + Double(largestBacklog) / Self.longestDrain.seconds)
    }

    /// Takes the rate of an outage that has ended; false: there was none, or too short a one.
    private mutating func endOutage(tail: UInt64, at time: MonotonicInstant) -> Bool {
        guard let outage else { return false }
        self.outage = nil
        let span = time.since(outage.began)
        guard span >= Self.shortestOutage, tail > outage.tail else { return false }
        collected = max(1, Double(tail - outage.tail) / span.seconds)
        resumption = nil
        factor = 1
        return true
    }
}
