/// One raw observation as a source read it.
public struct Sample: Hashable, Sendable {
    /// The series in the terms of the source that opened it.
    public var series: UInt64
    /// When it was observed; nil: at the time of the tick.
    public var time: Timestamp?
    /// The value.
    public var value: SampleValue

    /// A sample.
    public init(series: UInt64, time: Timestamp? = nil, value: SampleValue) {
        self.series = series
        self.time = time
        self.value = value
    }
}
