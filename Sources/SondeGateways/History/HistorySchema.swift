internal import SondeDomain

/// What the tables of a history are, and how a file of an older version becomes one of this.
struct HistorySchema {
    /// `SndH`: what distinguishes a history from any other SQLite file.
    static let applicationID: Int32 = 0x536e_6448

    /// The version of files that are made.
    let version: Int64
    /// How each table is made, by name.
    let tables: [String: String]
    /// The statements that make version n + 1 of version n, by n.
    let migrations: [Int64: [String]]

    /// The version that this agent writes.
    static let current = HistorySchema(
        version: 1,
        tables: Dictionary(
            [
                ("agent", "CREATE TABLE agent (last_commit INTEGER)"),
                (
                    "series",
                    """
                    CREATE TABLE series (slot INTEGER PRIMARY KEY, metric TEXT NOT NULL, member TEXT, \
                    source TEXT NOT NULL, further INTEGER NOT NULL, last INTEGER NOT NULL)
                    """
                ),
            ]
                + HistoryTier.allCases.map { tier in
                    (tier.chunkTable, "CREATE TABLE \(tier.chunkTable) (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")
                }
        ) { first, _ in first },
        migrations: [:]
    )

    /// The statements that make an empty file.
    var creation: [String] {
        tables.sorted { $0.key < $1.key }.map(\.value) + ["INSERT INTO agent VALUES (NULL)"]
    }
}

extension HistoryTier {
    /// The table of its chunks.
    var chunkTable: String { "chunk_\(name)" }
}
