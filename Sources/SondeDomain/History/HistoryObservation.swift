/// A reading of a history series and the time it covers.
public struct HistoryObservation: Hashable, Sendable {
    /// What was read.
    public enum Value: Hashable, Sendable {
        /// A value that held since the reading before; `peak` is the largest within that time, if the source reports it.
        case held(Double, peak: Double?)
        /// Events since the reading before, and the mean of their durations in seconds.
        case events(LatencyCounts, mean: Double)
    }

    /// A reading covers an hour at the most: over a longer time it is too coarse for steps of 5 seconds.
    public static let longestHeld = Nanoseconds.seconds(3_600)

    /// What was read.
    public var value: Value
    /// When it was read.
    public var time: Timestamp
    /// How long ago the reading before was; zero: there was none.
    public var held: Nanoseconds

    /// A reading.
    public init(_ value: Value, at time: Timestamp, held: Nanoseconds) {
        self.value = value
        self.time = time
        self.held = held
    }

    /// Adds the reading to the steps of the lowest tier that it covers; false: it is no number, or before 1970.
    ///
    /// A value weighs in each step as long as it held there; the reading is counted in the step that it was made in. Where
    /// within its time a peak was is not known, so each of the steps has it.
    public func add(to steps: inout HistorySteps) -> Bool {
        guard time.nanoseconds > 0, let last = HistoryTier.hour.index(upTo: time) else { return false }
        switch value {
        case .held(let value, let peak):
            guard value.isFinite, peak?.isFinite ?? true else { return false }
            spread(value, peak, last, &steps)
        case .events(let latencies, let mean):
            guard mean.isFinite, latencies.total > 0 else { return false }
            // Events are whole: they belong to the step in which they were reported.
            var point = HistoryPoint(mean, weight: latencies.total)
            point.latencies = latencies
            steps.merge(point, at: last)
        }
        return true
    }

    private func spread(_ value: Double, _ peak: Double?, _ last: Int64, _ steps: inout HistorySteps) {
        let span = min(max(held, .zero), Self.longestHeld)
        let end = time.nanoseconds / 1_000
        // A first reading has held for no known time: it counts for a moment, so that the step has an average.
        let begin = max(0, min((time.nanoseconds &- span.value) / 1_000, end &- 1))
        let step = HistoryTier.hour.step.value / 1_000
        for index in min(begin / step, last)...last {
            let from = max(begin, index &* step)
            let to = index == last ? end : min(end, (index &+ 1) &* step)
            let weight = UInt64(clamping: max(1, to &- from))
            steps.merge(HistoryPoint(value, weight: weight, peak: peak, count: index == last ? 1 : 0), at: index)
        }
    }
}
