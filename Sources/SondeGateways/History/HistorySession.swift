internal import SondeDomain
internal import SondeEngine
internal import SondePluginKit

/// An open history: its connection, its statements, and which series have room.
///
/// Unchecked: the store uses it only under its lock, so that one thread at a time does.
final class HistorySession: @unchecked Sendable {
    private struct ChunkTable {
        let select: SQLiteStatement
        let replace: SQLiteStatement
    }

    private struct DamagedRow: Hashable {
        let tier: HistoryTier
        let row: Int64
    }

    /// The connection.
    let connection: SQLiteConnection
    /// The file that was opened.
    let identity: FileIdentity?
    private let chunks: [HistoryTier: ChunkTable]
    private let saveSeries: SQLiteStatement
    private let saveCommit: SQLiteStatement
    private(set) var slots: HistorySlots
    private(set) var lastCommit: Timestamp?
    private var damagedRows: Set<DamagedRow> = []
    private var newlyDamaged = 0

    /// The session of an open file with room for so many units.
    init(_ connection: SQLiteConnection, _ identity: FileIdentity?, units: Int) throws(SQLiteFault) {
        self.connection = connection
        self.identity = identity
        var tables: [HistoryTier: ChunkTable] = [:]
        for tier in HistoryTier.allCases {
            tables[tier] = ChunkTable(
                select: try connection.prepare("SELECT body FROM \(tier.chunkTable) WHERE id = ?"),
                replace: try connection.prepare("INSERT OR REPLACE INTO \(tier.chunkTable) VALUES (?, ?)")
            )
        }
        chunks = tables
        saveSeries = try connection.prepare("INSERT OR REPLACE INTO series VALUES (?, ?, ?, ?, ?, ?)")
        saveCommit = try connection.prepare("UPDATE agent SET last_commit = ?")
        slots = HistorySlots(capacity: units, try Self.entries(connection))
        lastCommit = try connection.number("SELECT last_commit FROM agent WHERE last_commit IS NOT NULL")
            .map { Timestamp(nanoseconds: $0) }
        // What a killed agent has left in the log counts, too.
        _ = try connection.emptyLog()
    }

    /// Whether the log is so long that it has to be emptied before more is written, and cannot be.
    func isHeld() throws(SQLiteFault) -> Bool {
        guard connection.logFrames >= HistorySize.mostFrames else { return false }
        return try !connection.emptyLog()
    }

    /// Adds steps to all tiers: all of it, or nothing.
    func append(_ additions: [HistoryAddition], at time: Timestamp) throws(SQLiteFault) -> HistoryReceipt {
        var slots = slots
        var refused: [HistorySeries] = []
        let before = Dictionary(slots.all.map { ($0.series, $0.last) }) { first, _ in first }
        var added: [HistorySeries: HistorySteps] = [:]
        for addition in additions {
            switch slots.place(addition.series, rank: addition.rank, at: time) {
            case .kept, .given: added[addition.series, default: HistorySteps()].merge(addition.steps)
            case .refused: refused.append(addition.series)
            }
        }
        let entries = slots.bySlot
        try connection.transaction { () throws(SQLiteFault) in
            for (slot, entry) in entries {
                let steps = added[entry.series]
                if steps != nil { try save(entry, slot) }
                try update(entry.series, slot, steps ?? HistorySteps(), before[entry.series], time)
            }
            try saveCommit.run([.number(time.nanoseconds)])
        }
        self.slots = slots
        lastCommit = time
        // The commit is valid whether the log can be emptied now or not: a reader may hold it; it is tried after the next one.
        if connection.logFrames >= HistorySize.enoughFrames { _ = try? connection.emptyLog() }
        return HistoryReceipt(kept: Set(entries.map(\.entry.series)), refused: refused)
    }

    /// The steps of a series that are kept in a tier.
    func steps(
        of series: HistorySeries,
        in tier: HistoryTier,
        _ range: Range<Int64>
    ) throws(SQLiteFault) -> HistorySteps {
        guard let slot = slots.slot(of: series) else { return HistorySteps() }
        let wanted = HistoryRing.chunks(of: range)
        var found: [HistoryChunk] = []
        for place in HistoryRing.places(of: range, in: tier) {
            guard let chunk = try load(series, slot, tier, place), wanted.contains(chunk.number) else { continue }
            found.append(chunk)
        }
        found.sort { $0.number < $1.number }
        return HistorySteps(ascending: found.flatMap(\.steps).filter { range.contains($0.index) })
    }

    /// How many rows were found damaged since the last call; each is reported once, however often it is read.
    func takeDamagedRows() -> Int {
        defer { newlyDamaged = 0 }
        return newlyDamaged
    }

    private func update(
        _ series: HistorySeries,
        _ slot: Int,
        _ steps: HistorySteps,
        _ lastWritten: Timestamp?,
        _ time: Timestamp
    ) throws(SQLiteFault) {
        var rows = HistoryRows { (tier, place) throws(SQLiteFault) in try self.load(series, slot, tier, place) }
        let rollup = HistoryRollup(lastWritten: lastWritten, lastCommit: lastCommit, at: time)
        try rollup.add(steps, to: &rows)
        let name = HistoryChunk.nameChecksum(of: series)
        for (tier, chunk) in rows.changes {
            let place = HistoryRing.place(of: chunk.number, in: tier)
            let bytes = chunk.bytes(name: name, series.metric.shape)
            try chunks[tier]?.replace.run([.number(Self.row(place, slot)), .bytes(bytes)])
        }
    }

    private func load(
        _ series: HistorySeries,
        _ slot: Int,
        _ tier: HistoryTier,
        _ place: Int64
    ) throws(SQLiteFault) -> HistoryChunk? {
        guard let select = chunks[tier]?.select else { return nil }
        try select.bind([.number(Self.row(place, slot))])
        guard try select.step() else { return nil }
        let name = HistoryChunk.nameChecksum(of: series)
        let chunk = select.withBytes(0) { bytes -> HistoryChunk? in
            do throws(HistoryChunk.Flaw) {
                return try HistoryChunk(bytes, name: name, series.metric.shape)
            } catch {
                // The rows that a history can have bound the set.
                let damaged = DamagedRow(tier: tier, row: Self.row(place, slot))
                if error == .damaged, damagedRows.insert(damaged).inserted { newlyDamaged += 1 }
                return nil
            }
        }
        while try select.step() {}
        return chunk
    }

    private func save(_ entry: HistorySlots.Entry, _ slot: Int) throws(SQLiteFault) {
        try saveSeries.run([
            .number(Int64(slot)), .text(entry.series.metric.rawValue), entry.series.member.map { .text($0) } ?? .null,
            .text(entry.series.source), .number(Int64(entry.rank.rawValue)), .number(entry.last.nanoseconds),
        ])
    }

    private static func row(_ place: Int64, _ slot: Int) -> Int64 { place << 16 | Int64(slot) }

    /// The series of the file; one of an unknown metric loses its room.
    static func entries(_ connection: SQLiteConnection) throws(SQLiteFault) -> [Int: HistorySlots.Entry] {
        let statement = try connection.prepare("SELECT slot, metric, member, source, further, last FROM series")
        var entries: [Int: HistorySlots.Entry] = [:]
        while try statement.step() {
            let slot = statement.number(0)
            guard (0..<65_536).contains(slot), let metric = statement.text(1).flatMap(HistoryMetric.init(rawValue:))
            else { continue }
            let series = HistorySeries(metric, member: statement.text(2), source: statement.text(3) ?? "")
            let rank = HistoryContribution.Rank(rawValue: Int(clamping: statement.number(4))) ?? .further
            let last = Timestamp(nanoseconds: statement.number(5))
            entries[Int(slot)] = HistorySlots.Entry(series, rank: rank, last: last)
        }
        return entries
    }
}
