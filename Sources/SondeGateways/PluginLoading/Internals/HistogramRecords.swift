internal import CSondePlugin
internal import SondeDomain

/// The histograms of one batch in the contract's layout.
final class HistogramRecords {
    private let records: UnsafeMutablePointer<sonde_histogram>
    private let bounds: UnsafeMutablePointer<Double>
    private let counts: UnsafeMutablePointer<UInt64>
    private var recordCount = 0
    private var boundCount = 0
    private var countCount = 0

    /// Makes room for every histogram of the points.
    init(_ entries: [Batch.Entry]) {
        var recordRoom = 0
        var boundRoom = 0
        for entry in entries {
            guard case .histogram(let value) = entry.point.value else { continue }
            recordRoom += 1
            boundRoom += value.bounds.count
        }
        records = .allocate(capacity: recordRoom)
        bounds = .allocate(capacity: boundRoom)
        counts = .allocate(capacity: boundRoom + recordRoom)
    }

    deinit {
        records.deallocate()
        bounds.deallocate()
        counts.deallocate()
    }

    /// A copy of a histogram that room was made for.
    func store(_ value: HistogramValue) -> UnsafePointer<sonde_histogram> {
        let record = records + recordCount
        let bound = bounds + boundCount
        let count = counts + countCount
        bound.initialize(from: value.bounds, count: value.bounds.count)
        count.initialize(from: value.counts, count: value.counts.count)
        record.initialize(
            to: sonde_histogram(
                struct_size: UInt32(MemoryLayout<sonde_histogram>.size),
                bound_count: UInt32(clamping: value.bounds.count),
                bounds: bound,
                counts: count,
                count: value.count,
                sum: value.sum ?? .nan
            )
        )
        recordCount += 1
        boundCount += value.bounds.count
        countCount += value.counts.count
        return UnsafePointer(record)
    }
}
