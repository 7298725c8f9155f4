internal import SondeDomain

/// The series of a sink's recent batches, by their process-stable id: made once, not for every batch.
struct SeriesRecords {
    /// How many batches a series that no batch names is kept for.
    static let patience: UInt64 = 64
    private static let sweepEvery: UInt64 = 16
    private static let bound = 65_536

    private let meaning: (String) -> String
    private var known: [SeriesID: SeriesRecord] = [:]
    private var batch: UInt64 = 0
    private var lastMakingOfRoom: UInt64 = 0

    /// No series yet; `meaning` returns the description of a metric.
    init(meaning: @escaping (String) -> String) {
        self.meaning = meaning
    }

    /// How many series are kept.
    var count: Int { known.count }

    /// Begins a batch: series that no batch has named for long are freed.
    mutating func beginBatch() {
        batch &+= 1
        guard batch % Self.sweepEvery == 0, batch > Self.patience else { return }
        let oldest = batch &- Self.patience
        known = known.filter { $0.value.lastUse >= oldest }
    }

    /// The record of a series of the current batch; it stays valid until the next batch begins.
    mutating func record(of series: Series) -> SeriesRecord {
        if let record = known[series.id] {
            record.lastUse = batch
            return record
        }
        if known.count >= Self.bound { makeRoom() }
        let record = SeriesRecord(series, meaning: meaning(series.name))
        record.lastUse = batch
        known[series.id] = record
        return record
    }

    // Once per batch: otherwise one with more series than the bound would sweep for each of them.
    private mutating func makeRoom() {
        guard lastMakingOfRoom != batch else { return }
        lastMakingOfRoom = batch
        let current = batch
        known = known.filter { $0.value.lastUse == current }
    }
}
