/// One reading of a cumulative histogram with explicit bounds.
///
/// A class so that a sample stays 16 bytes.
public final class HistogramValue: Hashable, Sendable {
    /// Upper bounds, ascending and finite.
    public let bounds: [Double]
    /// Values per bucket, one more than there are bounds; not cumulated over buckets.
    public let counts: [UInt64]
    /// How many values there were.
    public let count: UInt64
    /// The sum of the values; nil when unknown.
    public let sum: Double?

    /// A histogram, or nil when counts and bounds do not fit together, bounds do not ascend, or the counts overflow.
    public init?(bounds: [Double], counts: [UInt64], sum: Double?) {
        guard counts.count == bounds.count + 1, bounds.allSatisfy(\.isFinite) else { return nil }
        guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        var total: UInt64 = 0
        for count in counts {
            let (next, overflow) = total.addingReportingOverflow(count)
            guard !overflow else { return nil }
            total = next
        }
        self.bounds = bounds
        self.counts = counts
        self.count = total
        self.sum = sum.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Equal when every member is.
    public static func == (left: HistogramValue, right: HistogramValue) -> Bool {
        left.bounds == right.bounds && left.counts == right.counts && left.sum == right.sum
    }

    /// Hashes what equality looks at.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bounds)
        hasher.combine(counts)
        hasher.combine(sum)
    }
}
