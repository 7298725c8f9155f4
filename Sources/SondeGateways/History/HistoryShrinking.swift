internal import Glibc
internal import SondeDomain

/// Makes the file of a history smaller where the bound was lowered below what it has: a copy of the series that still find room
/// takes its place.
///
/// While it is made there are both files. A kill leaves the one or the other, whole.
struct HistoryShrinking {
    /// The series that find room.
    let kept: HistorySlots
    /// How many do not.
    let refusedCount: Int

    /// What is to be done about an open file; nil: it is within its bound.
    init?(_ connection: SQLiteConnection, _ size: HistorySize) throws(SQLiteFault) {
        let entries = try HistorySession.entries(connection)
        let all = HistorySlots(capacity: size.units, entries)
        let pages = try connection.number("PRAGMA page_count") ?? 0
        guard pages > size.pages || all.units > size.units else { return nil }
        kept = all.fitting
        refusedCount = entries.count - kept.all.count
    }

    /// Writes the copy; the connection is that of a file that was filled with empty tables.
    func copy(from path: String, to draft: SQLiteConnection) throws(SQLiteFault) {
        let attach = try draft.prepare("ATTACH ? AS old")
        try attach.run([.text(path)])
        let slots = kept.bySlot.map { String($0.slot) }.joined(separator: ",")
        try draft.transaction { () throws(SQLiteFault) in
            try draft.run("INSERT INTO series SELECT * FROM old.series WHERE slot IN (\(slots))")
            for tier in HistoryTier.allCases {
                let table = tier.chunkTable
                // The slot of a row: docs/spec/history.md.
                try draft.run(
                    "INSERT INTO \(table) SELECT * FROM old.\(table) WHERE (id & 65535) IN (\(slots)) ORDER BY id")
            }
            try draft.run("UPDATE agent SET last_commit = (SELECT last_commit FROM old.agent)")
        }
        try draft.run("DETACH old")
    }
}
