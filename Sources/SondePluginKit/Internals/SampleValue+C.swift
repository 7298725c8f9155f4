internal import CSondePlugin
internal import SondeDomain

extension SampleValue {
    /// The contract's value, or nil when its type is unknown or it is no number.
    init?(_ type: UInt32, _ value: sonde_value) {
        switch type {
        case UInt32(SONDE_VALUE_UINT64): self = .unsigned(value.u64)
        case UInt32(SONDE_VALUE_INT64): self = .signed(value.i64)
        case UInt32(SONDE_VALUE_DOUBLE):
            guard value.f64.isFinite else { return nil }
            self = .double(value.f64)
        case UInt32(SONDE_VALUE_HISTOGRAM):
            guard let record = value.histogram?.pointee, let histogram = HistogramValue(record) else { return nil }
            self = .histogram(histogram)
        default: return nil
        }
    }
}

extension HistogramValue {
    /// A copy of the contract's histogram, or nil when it is malformed.
    convenience init?(_ record: sonde_histogram) {
        let count = Int(record.bound_count)
        guard count <= 64, let counts = record.counts, count == 0 || record.bounds != nil else { return nil }
        self.init(
            bounds: [Double](UnsafeBufferPointer(start: record.bounds, count: count)),
            counts: [UInt64](UnsafeBufferPointer(start: counts, count: count + 1)),
            sum: record.sum.isNaN ? nil : record.sum
        )
    }
}
