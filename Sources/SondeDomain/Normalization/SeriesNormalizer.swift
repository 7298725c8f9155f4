/// Normalizes the samples of one series: unit to base, counters to deltas with a verdict.
public struct SeriesNormalizer: Sendable {
    /// One normalized sample.
    public struct Output: Sendable {
        /// The value in the base unit; counters stay cumulative.
        public var value: SampleValue
        /// Counters and histograms: when the count was zero, if known.
        public var start: Timestamp?
        /// Counters: the verdict on the reading.
        public var counter: CounterTracker.Reading?

        /// Nothing yet.
        public init() { value = .ended }

        fileprivate mutating func set(
            _ value: SampleValue, start: Timestamp? = nil, counter: CounterTracker.Reading? = nil
        ) {
            self.value = value
            self.start = start
            self.counter = counter
        }
    }

    /// How values come into the base unit.
    public let conversion: UnitConversion
    private let kind: MetricKind
    private var tracker: CounterTracker
    private var histograms: HistogramTracker

    /// A normalizer for a series as its source described it.
    public init(_ series: SeriesSpecification) {
        kind = series.kind
        conversion = UnitConversion(from: series.unit)
        tracker = CounterTracker(start: series.start, bits: series.counterBits)
        histograms = HistogramTracker(start: series.start)
    }

    /// Counters and histograms: when the count of the last sample was zero, if known.
    public var start: Timestamp? {
        switch kind {
        case .counter: tracker.start
        case .histogram: histograms.start
        case .gauge, .upDown, .info: nil
        }
    }

    /// Normalizes one sample, or nil when its value does not fit the kind: a negative counter, a histogram where a
    /// number belongs, a number that is not finite in the base unit.
    public mutating func normalize(_ value: SampleValue, wall: Timestamp, at time: MonotonicInstant) -> Output? {
        var output = Output()
        return normalize(value, wall: wall, at: time, into: &output) ? output : nil
    }

    /// Normalizes one of many samples into the same `output`, so that none is copied; false when its value does not fit.
    public mutating func normalize(
        _ value: SampleValue, wall: Timestamp, at time: MonotonicInstant, into output: inout Output
    ) -> Bool {
        guard fits(value), let base = conversion.apply(value) else { return false }
        guard kind == .counter else {
            guard case .histogram(let histogram) = base else {
                output.set(base)
                return true
            }
            output.set(base, start: histograms.observe(histogram, wall: wall))
            return true
        }
        var reading = tracker.observe(value, wall: wall, at: time)
        if !conversion.isIdentity {
            reading.delta = reading.delta.map { $0 * conversion.factor }
            reading.rate = reading.rate.map { $0 * conversion.factor }.flatMap { $0.isFinite ? $0 : nil }
        }
        output.set(widened(value) ?? base, start: reading.start, counter: reading)
        return true
    }

    /// A count of 32 bits that has wrapped, in the base unit; nil: it has not.
    private func widened(_ value: SampleValue) -> SampleValue? {
        guard tracker.passed > 0, case .unsigned(let count) = value else { return nil }
        return conversion.apply(.unsigned(tracker.passed &+ count))
    }

    private func fits(_ value: SampleValue) -> Bool {
        switch value {
        case .histogram: kind == .histogram
        case .ended: false
        case .double(let number): kind != .histogram && number.isFinite && (kind != .counter || number >= 0)
        case .signed(let number): kind != .histogram && (kind != .counter || number >= 0)
        case .unsigned: kind != .histogram
        }
    }
}
