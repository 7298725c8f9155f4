internal import CSondePlugin
internal import SondeDomain

/// The series that a sink was handed lately, by their process-stable id: made once, not for every batch.
///
/// Series may come and go without end: those that no batch names for long are forgotten.
struct SeriesCache {
    private var known = RecentSeries<Series>()
    private var texts = SharedTexts()

    /// How many series are kept.
    var count: Int { known.count }

    /// Begins a batch of so many series.
    mutating func beginBatch(of count: Int) {
        known.removeStale()
        known.beginBatch(of: count)
    }

    /// The series that a batch's table describes.
    mutating func series(_ record: sonde_batch_series) -> Series {
        if let index = known.index(of: SeriesID(rawValue: record.id)) { return known[index] }
        let series = Series(
            id: SeriesID(rawValue: record.id),
            source: texts.text(record.source_id),
            name: texts.text(record.name),
            kind: MetricKind(rawValue: record.kind) ?? .gauge,
            unit: texts.text(record.unit),
            attributes: texts.attributes(record.attributes, count: record.attribute_count),
            labels: texts.labels(record.labels, count: record.label_count),
            meaning: texts.text(record.meaning)
        )
        known.add(series, for: series.id)
        return series
    }
}
