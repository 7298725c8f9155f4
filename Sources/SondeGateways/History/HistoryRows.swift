internal import SondeDomain

/// The chunks of one series, as a transaction reads and changes them.
struct HistoryRows: HistoryStepRows {
    private struct Key: Hashable {
        let tier: HistoryTier
        let number: Int64
    }

    /// Reads a row; nil: it is missing or damaged.
    typealias Load = (HistoryTier, _ place: Int64) throws(SQLiteFault) -> HistoryChunk?

    private let load: Load
    private var chunks: [Key: HistoryChunk] = [:]
    private var changed: Set<Key> = []

    /// What `load` reads, unchanged so far.
    init(_ load: @escaping Load) {
        self.load = load
    }

    /// What has to be written, by tier and place.
    var changes: [(tier: HistoryTier, chunk: HistoryChunk)] {
        changed.sorted { ($0.tier, $0.number) < ($1.tier, $1.number) }
            .compactMap { key in chunks[key].map { (key.tier, $0) } }
    }

    /// What is kept of a step.
    mutating func point(of index: Int64, in tier: HistoryTier) throws(SQLiteFault) -> HistoryPoint? {
        try chunk(of: index, tier).1[index]
    }

    /// Puts a point in the place of what is kept of a step.
    mutating func set(_ point: HistoryPoint, of index: Int64, in tier: HistoryTier) throws(SQLiteFault) {
        var (key, chunk) = try chunk(of: index, tier)
        chunk[index] = point
        chunks[key] = chunk
        changed.insert(key)
    }

    private mutating func chunk(of index: Int64, _ tier: HistoryTier) throws(SQLiteFault) -> (Key, HistoryChunk) {
        let key = Key(tier: tier, number: HistoryRing.chunk(of: index))
        if let known = chunks[key] { return (key, known) }
        let found = try load(tier, HistoryRing.place(of: key.number, in: tier))
        // Another lap of the ring, or one that a clock which was ahead has left: it is overwritten.
        let chunk = found.flatMap { $0.number == key.number ? $0 : nil } ?? HistoryChunk(key.number)
        chunks[key] = chunk
        return (key, chunk)
    }
}
