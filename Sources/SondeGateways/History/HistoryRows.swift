internal import SondeDomain

/// The chunks of one series, as a transaction reads and changes them.
struct HistoryRows {
    private struct Key: Hashable {
        let tier: HistoryTier
        let number: Int64
    }

    /// Reads a row; nil: there is none that can be believed.
    typealias Load = (HistoryTier, _ place: Int64) throws(SQLiteFault) -> HistoryChunk?

    private var chunks: [Key: HistoryChunk] = [:]
    private var changed: Set<Key> = []

    /// What has to be written, by tier and place.
    var changes: [(tier: HistoryTier, chunk: HistoryChunk)] {
        changed.sorted { ($0.tier, $0.number) < ($1.tier, $1.number) }
            .compactMap { key in chunks[key].map { (key.tier, $0) } }
    }

    /// Adds what came later to a step.
    mutating func merge(_ step: HistoryStep, in tier: HistoryTier, _ load: Load) throws(SQLiteFault) {
        try change(step.index, tier, load) { $0 = $0?.merging(step.point) ?? step.point }
    }

    /// Puts a point in the place of what is kept of a step.
    mutating func set(_ step: HistoryStep, in tier: HistoryTier, _ load: Load) throws(SQLiteFault) {
        try change(step.index, tier, load) { $0 = step.point }
    }

    /// A stretch of steps as one; nil: none of them is kept.
    mutating func merged(
        _ range: Range<Int64>,
        in tier: HistoryTier,
        _ load: Load
    ) throws(SQLiteFault) -> HistoryPoint? {
        var all: HistoryPoint?
        for index in range {
            guard let point = try chunk(of: index, tier, load).1[index] else { continue }
            all = all?.merging(point) ?? point
        }
        return all
    }

    private mutating func change(
        _ index: Int64,
        _ tier: HistoryTier,
        _ load: Load,
        _ body: (inout HistoryPoint?) -> Void
    ) throws(SQLiteFault) {
        var (key, chunk) = try chunk(of: index, tier, load)
        body(&chunk[index])
        chunks[key] = chunk
        changed.insert(key)
    }

    private mutating func chunk(
        of index: Int64,
        _ tier: HistoryTier,
        _ load: Load
    ) throws(SQLiteFault) -> (Key, HistoryChunk) {
        let key = Key(tier: tier, number: HistoryRing.chunk(of: index))
        if let known = chunks[key] { return (key, known) }
        let found = try load(tier, HistoryRing.place(of: key.number, in: tier))
        // Another lap of the ring, or one that a clock which was ahead has left: it gives way.
        let chunk = found.flatMap { $0.number == key.number ? $0 : nil } ?? HistoryChunk(key.number)
        chunks[key] = chunk
        return (key, chunk)
    }
}
