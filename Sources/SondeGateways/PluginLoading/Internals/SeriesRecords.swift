internal import CSondePlugin
internal import SondeDomain

/// The series of a sink's recent batches, by their process-stable id: made once, not for every batch.
struct SeriesRecords {
    private let meaning: (String) -> String
    private var known = RecentSeries<SeriesRecord>()

    /// No series yet; `meaning` returns the description of a metric.
    init(meaning: @escaping (String) -> String) {
        self.meaning = meaning
    }

    /// How many series are kept.
    var count: Int { known.count }

    /// Begins a batch of so many series: those that no batch has named for long are freed.
    mutating func beginBatch(of count: Int) {
        known.removeStale()
        known.beginBatch(of: count)
    }

    /// The record of a series of the current batch; it stays valid until the next batch begins.
    mutating func record(of series: Series) -> sonde_batch_series {
        let index =
            known.index(of: series.id)
            ?? known.add(SeriesRecord(series, meaning: meaning(series.name)), for: series.id)
        return known[index].record
    }
}
