/// What is kept of a series for one step: enough to be merged with others into a longer one.
///
/// Merging is associative: minimum, maximum, peak, last, counts and weight exactly, the average up to the last bits of a
/// double. It is not commutative, since the last value is that of the later part.
public struct HistoryPoint: Hashable, Sendable {
    /// The average, weighted by how long each value held; of a distribution, the mean of its events.
    public var average: Double
    /// What the average weighs: microseconds that are covered by readings; of a distribution, events.
    ///
    /// A step that is kept has at most 2^32 - 1, which is more than the longest has microseconds; a merger of many has more.
    public var weight: UInt64
    /// The smallest reading.
    public var minimum: Double
    /// The largest reading.
    public var maximum: Double
    /// The largest value within the readings' own intervals; nil: no source has looked that closely.
    public var peak: Double?
    /// The value that held at the end.
    public var last: Double
    /// How many readings ended in the step.
    public var count: UInt64
    /// Of a distribution: its events by duration.
    public var latencies: LatencyCounts?

    /// A point.
    public init(
        average: Double,
        weight: UInt64,
        minimum: Double,
        maximum: Double,
        peak: Double? = nil,
        last: Double,
        count: UInt64,
        latencies: LatencyCounts? = nil
    ) {
        self.average = average
        self.weight = weight
        self.minimum = minimum
        self.maximum = maximum
        self.peak = peak
        self.last = last
        self.count = count
        self.latencies = latencies
    }

    /// A reading that held all the time.
    public init(_ value: Double, weight: UInt64, peak: Double? = nil, count: UInt64 = 1) {
        self.init(
            average: value, weight: weight, minimum: value, maximum: value, peak: peak, last: value, count: count)
    }

    /// Adds what came after.
    public mutating func merge(_ later: HistoryPoint) {
        let total = Double(weight) + Double(later.weight)
        if total > 0 {
            // Of two parts that are equal this is exactly what they are.
            let share = Double(later.weight) / total
            let merged = average + (later.average - average) * share
            // The difference of two finite doubles may not be one.
            average = merged.isFinite ? merged : average * (1 - share) + later.average * share
        }
        weight = weight.addingSaturating(later.weight)
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        if let other = later.peak { peak = max(peak ?? other, other) }
        last = later.last
        count = count.addingSaturating(later.count)
        if let other = later.latencies { latencies = latencies?.merging(other) ?? other }
    }

    /// Both, one after the other.
    public func merging(_ later: HistoryPoint) -> HistoryPoint {
        var merged = self
        merged.merge(later)
        return merged
    }

    /// Whether all its numbers are finite, as those of every kept point are.
    public var isFinite: Bool {
        [average, minimum, maximum, peak ?? 0, last].allSatisfy(\.isFinite)
    }
}

extension FixedWidthInteger {
    /// The sum, at most the largest number there is.
    func addingSaturating(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
