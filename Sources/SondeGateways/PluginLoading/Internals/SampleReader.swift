internal import CSondePlugin
internal import SondeDomain

/// Copies a plugin's samples into the domain's terms.
///
/// Keeps its memory from one commit to the next: nothing is allocated per sample, histograms apart.
struct SampleReader {
    /// More than any commit needs; beyond it the count is taken for garbage.
    static let limit = 1_000_000
    private static let keptCapacity = 65_536

    /// The samples of the last commit that could be read.
    private(set) var samples: [Sample] = []

    /// Reads `count` samples and returns how many of them are no samples.
    mutating func read(_ first: UnsafePointer<sonde_sample>, count: Int) -> Int {
        removeAll()
        let base = UnsafeRawPointer(first)
        let known = MemoryLayout<sonde_sample>.size
        let alignment = MemoryLayout<sonde_sample>.alignment
        guard let stride = StructSize.stride(of: base, atLeast: known, alignment: alignment) else { return count }
        samples.reserveCapacity(count)
        var invalid = 0
        for index in 0..<count {
            let record = base.loadUnaligned(fromByteOffset: index &* stride, as: sonde_sample.self)
            guard Int(record.struct_size) == stride, let value = SampleValue(record.value_type, record.value) else {
                invalid &+= 1
                continue
            }
            let time = record.time_ns == Int64(SONDE_TIME_UNKNOWN) ? nil : Timestamp(nanoseconds: record.time_ns)
            samples.append(Sample(series: record.series, time: time, value: value))
        }
        return invalid
    }

    /// Takes every sample out; gives the memory of an unusually large commit back.
    mutating func removeAll() {
        samples.removeAll(keepingCapacity: samples.capacity <= Self.keptCapacity)
    }
}

extension SampleValue {
    /// The contract's value, or nil when its type is unknown, it is no finite number, or no histogram.
    fileprivate init?(_ type: UInt32, _ value: sonde_value) {
        switch type {
        case UInt32(SONDE_VALUE_UINT64): self = .unsigned(value.u64)
        case UInt32(SONDE_VALUE_INT64): self = .signed(value.i64)
        case UInt32(SONDE_VALUE_DOUBLE):
            guard value.f64.isFinite else { return nil }
            self = .double(value.f64)
        case UInt32(SONDE_VALUE_HISTOGRAM):
            guard let histogram = HistogramValue(value.histogram) else { return nil }
            self = .histogram(histogram)
        default: return nil
        }
    }
}

extension HistogramValue {
    fileprivate convenience init?(_ pointer: UnsafePointer<sonde_histogram>?) {
        guard let pointer else { return nil }
        let record = UnsafeRawPointer(pointer).loadUnaligned(as: sonde_histogram.self)
        let count = Int(record.bound_count)
        guard record.struct_size >= MemoryLayout<sonde_histogram>.size, count <= 64 else { return nil }
        guard let counts = record.counts, count == 0 || record.bounds != nil else { return nil }
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
