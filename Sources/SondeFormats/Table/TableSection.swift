/// One table of a view: fixed lines around rows of which the last may be left out.
struct TableSection {
    /// Title and column heads.
    var head: [StyledLine]
    /// The rows, most important first.
    var rows: [StyledLine]
    /// A sum, always shown.
    var foot: [StyledLine] = []
    /// What rows are called when some are left out.
    var rowName: String

    /// Lines that cannot be left out.
    var fixedCount: Int { head.count + foot.count }

    /// All lines with no more than `limit` rows, the last of which says what is missing.
    func lines(rows limit: Int) -> [StyledLine] {
        guard rows.count > limit else { return head + rows + foot }
        let shown = max(0, limit - 1)
        return head + rows.prefix(shown) + [StyledLine("… \(rows.count - shown) more \(rowName)", .faint)] + foot
    }
}
