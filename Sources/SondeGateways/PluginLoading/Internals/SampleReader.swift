internal import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

/// Copies a plugin's samples into the domain's terms.
///
/// Keeps its memory from one commit to the next: nothing is allocated per sample, histograms apart.
struct SampleReader {
    /// More than any commit needs; a larger count is treated as invalid.
    static let limit = 1_000_000
    private static let keptCapacity = 65_536

    /// The samples of the last commit that could be read.
    private(set) var samples: [Sample] = []
    /// Those that could not.
    private(set) var rejections: [SampleRejection] = []

    /// Reads `count` samples.
    mutating func read(_ first: UnsafePointer<sonde_sample>, count: Int) {
        removeAll()
        let base = UnsafeRawPointer(first)
        let stride = Int(base.loadUnaligned(as: UInt32.self))
        // The struct is as it was in 1.0: what a later version appends is skipped.
        guard (MemoryLayout<sonde_sample>.size...4_096).contains(stride), stride % 8 == 0 else {
            rejections = Array(repeating: SampleRejection(series: 0, reason: .malformedRecord), count: count)
            return
        }
        samples.reserveCapacity(count)
        for index in 0..<count {
            let record = base.loadUnaligned(fromByteOffset: index &* stride, as: sonde_sample.self)
            guard Int(record.struct_size) == stride else {
                rejections.append(SampleRejection(series: 0, reason: .malformedRecord))
                continue
            }
            do throws(SampleRejection.Reason) {
                let time = record.time_ns == Int64(SONDE_TIME_UNKNOWN) ? nil : Timestamp(nanoseconds: record.time_ns)
                samples.append(Sample(series: record.series, time: time, value: try SampleValue(record)))
            } catch {
                rejections.append(SampleRejection(series: record.series, reason: error))
            }
        }
    }

    /// Removes every sample; frees the memory of an unusually large commit.
    mutating func removeAll() {
        samples.removeAll(keepingCapacity: samples.capacity <= Self.keptCapacity)
        rejections.removeAll(keepingCapacity: rejections.capacity <= Self.keptCapacity)
    }
}

extension SampleRejection.Reason: Error {}

extension SampleValue {
    @inline(__always)
    fileprivate init(_ sample: sonde_sample) throws(SampleRejection.Reason) {
        switch sample.value_type {
        case UInt32(SONDE_VALUE_UINT64): self = .unsigned(sample.value.u64)
        case UInt32(SONDE_VALUE_INT64): self = .signed(sample.value.i64)
        case UInt32(SONDE_VALUE_DOUBLE):
            guard sample.value.f64.isFinite else { throw .notFinite }
            self = .double(sample.value.f64)
        case UInt32(SONDE_VALUE_HISTOGRAM):
            guard let histogram = HistogramValue(copying: sample.value.histogram) else { throw .malformedHistogram }
            self = .histogram(histogram)
        default: throw .wrongType
        }
    }
}
