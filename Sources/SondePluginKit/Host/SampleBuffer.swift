internal import CSondePlugin
public import SondeDomain

/// Samples on their way to the host, in the contract's own layout.
///
/// Reuse one per instance: it keeps its memory.
public struct SampleBuffer {
    private var samples: [sonde_sample] = []
    private var histograms = HistogramStorage()

    /// An empty buffer.
    public init() {}

    /// How many samples there are.
    public var count: Int { samples.count }

    /// Makes room for `count` samples.
    public mutating func reserveCapacity(_ count: Int) {
        samples.reserveCapacity(count)
    }

    /// Takes every sample out and keeps the memory.
    public mutating func removeAll() {
        samples.removeAll(keepingCapacity: true)
        if !histograms.isEmpty { histograms = HistogramStorage() }
    }

    /// Appends an unsigned integer.
    ///
    /// `time` nil: the time of the tick.
    public mutating func append(_ series: SeriesHandle, _ value: UInt64, at time: Timestamp? = nil) {
        append(series, type: UInt32(SONDE_VALUE_UINT64), sonde_value(u64: value), at: time)
    }

    /// Appends a signed integer.
    public mutating func append(_ series: SeriesHandle, _ value: Int64, at time: Timestamp? = nil) {
        append(series, type: UInt32(SONDE_VALUE_INT64), sonde_value(i64: value), at: time)
    }

    /// Appends a double; NaN and infinities are left out by the host and counted.
    public mutating func append(_ series: SeriesHandle, _ value: Double, at time: Timestamp? = nil) {
        append(series, type: UInt32(SONDE_VALUE_DOUBLE), sonde_value(f64: value), at: time)
    }

    /// Appends a histogram.
    public mutating func append(_ series: SeriesHandle, _ value: HistogramValue, at time: Timestamp? = nil) {
        let pointer = histograms.store(value)
        append(series, type: UInt32(SONDE_VALUE_HISTOGRAM), sonde_value(histogram: pointer), at: time)
    }

    /// Appends a value of any type.
    public mutating func append(_ series: SeriesHandle, _ value: SampleValue, at time: Timestamp? = nil) {
        switch value {
        case .double(let number): append(series, number, at: time)
        case .signed(let number): append(series, number, at: time)
        case .unsigned(let number): append(series, number, at: time)
        case .histogram(let histogram): append(series, histogram, at: time)
        // A source closes the series instead.
        case .ended: break
        }
    }

    private mutating func append(_ series: SeriesHandle, type: UInt32, _ value: sonde_value, at time: Timestamp?) {
        samples.append(
            sonde_sample(
                struct_size: UInt32(MemoryLayout<sonde_sample>.size),
                value_type: type,
                series: series.raw,
                time_ns: time?.nanoseconds ?? Int64(SONDE_TIME_UNKNOWN),
                value: value
            )
        )
    }

    func withContractSamples<Result>(_ body: (UnsafeBufferPointer<sonde_sample>) -> Result) -> Result {
        withExtendedLifetime(histograms) { samples.withUnsafeBufferPointer(body) }
    }
}
