/// What a series was over some time: points of one length, in order; steps without a reading are absent.
public struct HistoryLine: Hashable, Sendable {
    /// One point.
    public struct Point: Hashable, Sendable {
        /// When its step begins.
        public var time: Timestamp
        /// What is kept of it.
        public var value: HistoryPoint

        /// A point.
        public init(_ time: Timestamp, _ value: HistoryPoint) {
            self.time = time
            self.value = value
        }
    }

    /// The series.
    public var series: HistorySeries
    /// How long a step is.
    public var step: Nanoseconds
    /// The points.
    public var points: [Point]

    /// A line.
    public init(_ series: HistorySeries, step: Nanoseconds, _ points: [Point]) {
        self.series = series
        self.step = step
        self.points = points
    }
}

/// One number of a point.
public enum HistoryStatistic: String, Hashable, Sendable, CaseIterable {
    /// The average.
    case average
    /// The smallest reading.
    case minimum
    /// The largest reading.
    case maximum
    /// The largest value within the readings' own intervals, never below ``maximum``: a part of the time may be looked at less
    /// closely than another.
    case peak
    /// The value at the end.
    case last
    /// Of a distribution: what half of the events did not exceed.
    case p50
    /// Of a distribution: what 95 % of the events did not exceed.
    case p95
    /// Of a distribution: what 99 % of the events did not exceed.
    case p99

    /// The number; nil: the point does not have it.
    public func value(of point: HistoryPoint) -> Double? {
        switch self {
        case .average: point.average
        case .minimum: point.minimum
        case .maximum: point.maximum
        case .peak: point.peak.map { max($0, point.maximum) }
        case .last: point.last
        case .p50: point.latencies?.quantile(0.5)
        case .p95: point.latencies?.quantile(0.95)
        case .p99: point.latencies?.quantile(0.99)
        }
    }
}
