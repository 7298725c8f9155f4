public import SondeDomain

/// Counts durations by explicit bounds, for a histogram metric in seconds.
///
/// Cumulative: it is never reset by being read. Two threads must not use one histogram at once.
public struct LatencyHistogram: ~Copyable {
    /// Bounds for answers from a cache on this host up to time-outs: 10 µs to 5 s, in nanoseconds.
    public static let answerBounds: [UInt64] = [
        10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
        1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000,
    ]

    /// The same and 10 s and 30 s: so long clients of a resolver wait.
    public static let resolverBounds = answerBounds + [10_000_000_000, 30_000_000_000]

    @usableFromInline let bounds: UnsafeMutablePointer<UInt64>
    @usableFromInline let boundCount: Int
    @usableFromInline let counts: UnsafeMutablePointer<UInt64>
    /// For each number of bits that a duration takes, the first bucket that such a one may belong to.
    @usableFromInline let firstBuckets: UnsafeMutablePointer<UInt8>
    @usableFromInline var sum: UInt64 = 0
    /// How many durations there were.
    @inlinable public var count: UInt64 { recorded }
    @usableFromInline var recorded: UInt64 = 0

    /// A histogram whose buckets end at these nanoseconds, each bound belonging to the bucket below it.
    ///
    /// Bounds that do not ascend are left out.
    public init(bounds: [UInt64] = LatencyHistogram.answerBounds) {
        var ascending: [UInt64] = []
        for bound in bounds where ascending.last.map({ $0 < bound }) ?? true { ascending.append(bound) }
        boundCount = ascending.count
        self.bounds = .allocate(capacity: max(1, ascending.count))
        self.bounds.initialize(from: ascending, count: ascending.count)
        counts = .allocate(capacity: ascending.count &+ 1)
        counts.initialize(repeating: 0, count: ascending.count &+ 1)
        firstBuckets = .allocate(capacity: 65)
        for bits in 0...64 {
            let least: UInt64 = bits == 0 ? 0 : 1 << UInt64(bits &- 1)
            let first = ascending.firstIndex { least <= $0 } ?? ascending.count
            // A bucket too early is only a longer search.
            (firstBuckets + bits).initialize(to: UInt8(clamping: first))
        }
    }

    deinit {
        bounds.deallocate()
        counts.deallocate()
        firstBuckets.deallocate()
    }

    /// Counts a duration.
    @inlinable
    @inline(always)
    public mutating func record(nanoseconds: UInt64) {
        var bucket = Int(firstBuckets[64 &- nanoseconds.leadingZeroBitCount])
        while bucket < boundCount, bounds[bucket] < nanoseconds { bucket &+= 1 }
        counts[bucket] &+= 1
        recorded &+= 1
        let (next, overflow) = sum.addingReportingOverflow(nanoseconds)
        sum = overflow ? .max : next
    }

    /// What was counted so far, in seconds; nil when the counts exceed 64 bits together.
    public var snapshot: HistogramValue? {
        HistogramValue(
            bounds: (0..<boundCount).map { Double(bounds[$0]) / 1e9 },
            counts: (0...boundCount).map { counts[$0] },
            sum: sum == .max ? nil : Double(sum) / 1e9
        )
    }
}
