/// Lays out a board as lines of text for the room there is.
public enum TableView {
    /// The lines of a board; never more than the size has rows, less one for the cursor.
    public static func lines(_ board: SnapshotBoard, size: TableSize) -> [StyledLine] {
        let sections = board.views.map { section($0, columns: size.columns) }
        var lines = [title(board)]
        let notes = board.notes.map { StyledLine("! " + $0, .warning) }
        let limit = rowLimit(sections, notes: notes.count, size)
        for section in sections {
            lines.append(StyledLine())
            lines += section.lines(rows: limit)
        }
        if sections.isEmpty { lines += [StyledLine(), StyledLine("waiting for the first snapshot", .faint)] }
        if !notes.isEmpty { lines += [StyledLine()] + notes }
        if let rows = size.rows, lines.count > rows - 1 {
            lines = Array(lines.prefix(rows - 2)) + [StyledLine("… the window is too small for the rest", .faint)]
        }
        return lines.map { $0.clipped(to: size.columns) }
    }

    /// How many rows each section may have so that everything fits.
    private static func rowLimit(_ sections: [TableSection], notes: Int, _ size: TableSize) -> Int {
        guard let rows = size.rows else { return .max }
        let fixed = sections.reduce(1) { $0 + $1.fixedCount + 1 } + (notes > 0 ? notes + 1 : 0)
        let room = rows - 1 - fixed
        let longest = sections.map(\.rows.count).max() ?? 0
        var limit = longest
        while limit > 1, sections.reduce(0, { $0 + min($1.rows.count, limit) }) > room { limit -= 1 }
        return limit
    }

    private static func section(_ view: SnapshotView, columns: Int) -> TableSection {
        var title = StyledLine()
        switch view.content {
        case .bandwidth(let interfaces, let total):
            title.append("Bandwidth", .strong)
            title.append("  bytes/s, 1 kB = 1000 B · \(origin(view))", .faint)
            return TableSection(bandwidth: interfaces, total: total, title: title, columns: columns)
        case .connections(let groups):
            title.append("Connections", .strong)
            title.append("  sockets · \(origin(view))", .faint)
            return TableSection(connections: groups, title: title, columns: columns)
        case .dns(let parts):
            title.append("DNS", .strong)
            title.append("  queries/s · \(origin(view))", .faint)
            return TableSection(dns: parts, title: title, columns: columns)
        }
    }

    private static func origin(_ view: SnapshotView) -> String {
        let source = view.source.isEmpty ? "" : "\(view.source) · "
        return "\(source)over \(view.window)"
    }

    private static func title(_ board: SnapshotBoard) -> StyledLine {
        var line = StyledLine("sonde", .strong)
        // Times of one form compare as text.
        let newest = board.views.max { $0.time < $1.time }
        if let host = newest?.host { line.append("  \(host)") }
        if let newest { line.append("  \(clock(newest.time))", .faint) }
        return line
    }

    /// `2026-01-01 00:00:10 UTC` from `2026-01-01T00:00:10.000Z`; anything else as it is.
    private static func clock(_ time: String) -> String {
        let bytes = Array(time.utf8)
        guard bytes.count == 24, bytes[10] == 0x54, bytes[19] == 0x2e, bytes[23] == 0x5a else { return time }
        return String(decoding: bytes[..<10], as: UTF8.self) + " " + String(decoding: bytes[11..<19], as: UTF8.self)
            + " UTC"
    }
}
