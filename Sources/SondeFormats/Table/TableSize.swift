/// The room that a table has.
public struct TableSize: Hashable, Sendable {
    /// Columns of text.
    public let columns: Int
    /// Lines; nil when there is no end to them, as in a pipe.
    public let rows: Int?

    /// A size; a terminal smaller than 20 by 4 is taken as that, and what does not fit is cut by the terminal.
    public init(columns: Int, rows: Int?) {
        self.columns = max(20, min(columns, 1_000))
        self.rows = rows.map { max(4, $0) }
    }

    /// What a pipe gets: wide enough for any table.
    public static let unbounded = TableSize(columns: 100, rows: nil)
}
