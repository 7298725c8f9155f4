internal import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

/// The series of a sink's recent batches, by their process-stable id: made once, not for every batch.
struct SeriesRecords {
    private let meaning: (String) -> String
    private let shared: SharedBySeries<SeriesRecord>
    private var known = RecentSeries<SeriesRecord>()

    /// No series yet; `meaning` returns the description of a metric, `shared` has what other sinks have made.
    init(shared: SharedBySeries<SeriesRecord>, meaning: @escaping (String) -> String) {
        self.shared = shared
        self.meaning = meaning
    }

    /// How many series are kept.
    var count: Int { known.count }

    /// Begins a batch of so many series: those that no batch has named for long are freed.
    mutating func beginBatch(of count: Int) {
        shared.beginBatch()
        known.removeStale()
        known.beginBatch(of: count)
    }

    /// The record of a series of the current batch; it stays valid until the next batch begins.
    mutating func record(of series: Series) -> sonde_batch_series {
        let index = known.index(of: series.id) ?? known.add(shared(series), for: series.id)
        return known[index].record
    }

    private func shared(_ series: Series) -> SeriesRecord {
        let meaning = meaning(series.name)
        return shared.value(of: series.id) {
            $0.series === series && $0.meaning == meaning
        } make: {
            SeriesRecord(series, meaning: meaning)
        }
    }
}
