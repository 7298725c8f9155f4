internal import CSondePlugin
internal import SondeDomain

/// Keeps histograms in the contract's layout until it is gone.
final class HistogramStorage {
    private var records: [UnsafeMutablePointer<sonde_histogram>] = []
    private var bounds: [UnsafeMutablePointer<Double>] = []
    private var counts: [UnsafeMutablePointer<UInt64>] = []

    deinit {
        for record in records { record.deallocate() }
        for array in bounds { array.deallocate() }
        for array in counts { array.deallocate() }
    }

    var isEmpty: Bool { records.isEmpty }

    /// A copy that lives as long as the storage.
    func store(_ histogram: HistogramValue) -> UnsafePointer<sonde_histogram> {
        let record = UnsafeMutablePointer<sonde_histogram>.allocate(capacity: 1)
        let bound = UnsafeMutablePointer<Double>.allocate(capacity: max(1, histogram.bounds.count))
        let count = UnsafeMutablePointer<UInt64>.allocate(capacity: histogram.counts.count)
        bound.initialize(from: histogram.bounds, count: histogram.bounds.count)
        count.initialize(from: histogram.counts, count: histogram.counts.count)
        record.initialize(
            to: sonde_histogram(
                struct_size: UInt32(MemoryLayout<sonde_histogram>.size),
                bound_count: UInt32(histogram.bounds.count),
                bounds: bound,
                counts: count,
                count: histogram.count,
                sum: histogram.sum ?? .nan
            )
        )
        records.append(record)
        bounds.append(bound)
        counts.append(count)
        return UnsafePointer(record)
    }
}
