public import CSondePlugin
public import SondeDomain

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
            guard let histogram = HistogramValue(copying: value.histogram) else { return nil }
            self = .histogram(histogram)
        default: return nil
        }
    }
}

extension HistogramValue {
    /// A copy of the contract's histogram, or nil when it is malformed.
    public convenience init?(copying pointer: UnsafePointer<sonde_histogram>?) {
        guard let record = sonde_histogram(copying: pointer) else { return nil }
        let count = Int(record.bound_count)
        guard count <= 64, let counts = record.counts, count == 0 || record.bounds != nil else { return nil }
        self.init(
            bounds: (0..<count).compactMap { index in
                record.bounds.map { UnsafeRawPointer($0).loadUnaligned(fromByteOffset: index * 8, as: Double.self) }
            },
            counts: (0...count).map { index in
                UnsafeRawPointer(counts).loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            },
            sum: record.sum.isNaN ? nil : record.sum
        )
    }
}
