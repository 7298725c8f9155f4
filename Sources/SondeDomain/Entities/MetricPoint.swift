/// One normalized observation of one series.
public struct MetricPoint: Hashable, Sendable {
    /// The series it belongs to.
    public var series: SeriesID
    /// When it was observed.
    public var time: Timestamp
    /// Counters and histograms: when the count was zero, if known.
    public var start: Timestamp?
    /// The value; counters stay cumulative.
    public var value: SampleValue

    /// A point.
    public init(series: SeriesID, time: Timestamp, start: Timestamp? = nil, value: SampleValue) {
        self.series = series
        self.time = time
        self.start = start
        self.value = value
    }
}
