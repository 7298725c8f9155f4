internal import CSondePlugin
internal import SondeDomain

/// The series that a sink was handed lately, by their process-stable id: made once, not for every batch.
///
/// Series may come and go without end: those that no batch names for long are forgotten.
struct SeriesCache {
    private struct Entry {
        let series: Series
        var lastUse: UInt64
    }

    /// How many batches a series that no batch names is kept for, at least.
    static let patience: UInt64 = 64
    private static let bound = 65_536

    private var known: [UInt64: Entry] = [:]
    private var batch: UInt64 = 0

    /// How many series are kept.
    var count: Int { known.count }

    /// Begins a batch.
    mutating func beginBatch() {
        batch &+= 1
        guard batch % Self.patience == 0 else { return }
        let oldest = batch &- Self.patience
        known = known.filter { $0.value.lastUse >= oldest }
    }

    /// The series that a batch's table describes.
    mutating func series(_ record: sonde_batch_series) -> Series {
        if let index = known.index(forKey: record.id) {
            known.values[index].lastUse = batch
            return known.values[index].series
        }
        if known.count >= Self.bound { known.removeAll() }
        let series = Series(
            id: SeriesID(rawValue: record.id),
            source: String(record.source_id),
            name: String(record.name),
            kind: MetricKind(rawValue: record.kind) ?? .gauge,
            unit: String(record.unit),
            attributes: [Attribute](record.attributes, count: record.attribute_count),
            labels: [Attribute](record.labels, count: record.label_count),
            meaning: String(record.meaning)
        )
        known[record.id] = Entry(series: series, lastUse: batch)
        return series
    }
}
