/// One table of a view: fixed lines around rows of which some may be left out.
struct TableSection {
    /// A row.
    struct Row {
        var line: StyledLine
        /// Whether it says nothing but 0, as far as is known: the first to go where there is no room.
        var isIdle = false
    }

    /// Title and column heads.
    var head: [StyledLine]
    /// The rows, most important first.
    var rows: [Row]
    /// A sum, always shown.
    var foot: [StyledLine] = []
    /// What rows are called when some are left out.
    var rowName: String

    /// Lines that cannot be left out.
    var fixedCount: Int { head.count + foot.count }

    /// All lines with no more than `limit` rows, the last of which says what is missing.
    func lines(rows limit: Int) -> [StyledLine] {
        guard rows.count > limit else { return head + rows.map(\.line) + foot }
        let shown = max(0, limit - 1)
        let rest = StyledLine("… \(rows.count - shown) more \(rowName)", .faint)
        return head + rows.prefix(shown).map(\.line) + [rest] + foot
    }

    /// The same with one line in the place of all idle rows.
    var withoutIdleRows: TableSection {
        let idle = rows.count { $0.isIdle }
        guard idle > 1 else { return self }
        var busy = self
        busy.rows = rows.filter { !$0.isIdle } + [Row(line: StyledLine("… \(idle) idle \(rowName)", .faint))]
        return busy
    }
}
