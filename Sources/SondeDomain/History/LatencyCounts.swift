/// How many events took how long, by fixed bounds, so that any two can be merged.
public struct LatencyCounts: Hashable, Sendable {
    /// Upper bounds in seconds: 10 µs to 5 s.
    ///
    /// What took longer than the last is counted separately.
    public static let bounds: [Double] = [
        0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
        0.5, 1, 2.5, 5,
    ]

    /// Events per bucket, one more than there are bounds; not cumulated over buckets.
    public private(set) var counts: [UInt32]

    /// No event.
    public init() {
        counts = Array(repeating: 0, count: Self.bounds.count + 1)
    }

    /// Counts per bucket; nil when there are not as many as buckets.
    public init?(counts: [UInt32]) {
        guard counts.count == Self.bounds.count + 1 else { return nil }
        self.counts = counts
    }

    /// How many events there were.
    public var total: UInt64 {
        counts.reduce(0) { $0 &+ UInt64($1) }
    }

    /// Both together.
    public func merging(_ other: LatencyCounts) -> LatencyCounts {
        var merged = self
        for index in counts.indices { merged.counts[index] = counts[index].addingSaturating(other.counts[index]) }
        return merged
    }

    /// The duration in seconds that a share of the events did not exceed, evenly spread within a bucket.
    ///
    /// Nil when there was no event, and when it is above the last bound: it is not known how far.
    public func quantile(_ share: Double) -> Double? {
        let total = Double(total)
        guard total > 0, share >= 0, share <= 1 else { return nil }
        let rank = share * total
        var below = 0.0
        for (index, bound) in Self.bounds.enumerated() {
            let count = Double(counts[index])
            if count > 0, below + count >= rank {
                let lower = index > 0 ? Self.bounds[index - 1] : 0
                return lower + (bound - lower) * max(0, rank - below) / count
            }
            below += count
        }
        return nil
    }
}
