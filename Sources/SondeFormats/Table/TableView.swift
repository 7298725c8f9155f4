/// Lays out a board as lines of text for the room there is.
public enum TableView {
    private static let mostFailures = 5
    private static let mostDrops = 2
    private static let mostAdvised = 2

    /// The lines of a board; never more than the size has rows, less one for the cursor.
    ///
    /// What is broken, and what is dropped, is above everything else. Where there is no room, rows that are idle go first. Lists
    /// have the room that is left.
    public static func lines(_ board: SnapshotBoard, size: TableSize, rows: TableRows = .busy(hint: "")) -> [StyledLine]
    {
        var sections = board.page.views.map { section($0, columns: size.columns) }
        if case .busy(let hint) = rows { sections = sections.map { $0.withoutQuietRows(hint) } }
        let top = [title(board.page)] + failures(board.page, size) + drops(board.page)
        let notes = board.notes.map { StyledLine("! " + $0, .warning) }
        let bottom = notes.isEmpty ? [] : [StyledLine()] + notes
        let room = size.rows.map { rows in
            rows - 1 - top.count - bottom.count - sections.reduce(0) { $0 + $1.fixedCount + 1 }
        }
        if let room, rowCount(sections) > room { sections = sections.map(\.withoutIdleRows) }
        let limit = rowLimit(sections, room: room)
        var lines = top
        for section in sections { lines += [StyledLine()] + section.lines(rows: limit) }
        if sections.isEmpty { lines += [StyledLine(), StyledLine("waiting for the first snapshot", .faint)] }
        lines += listLines(board.page, size, room: size.rows.map { $0 - 1 - lines.count - bottom.count })
        if rows == .all { lines += absentLines(board.page, isBounded: size.rows != nil) }
        lines += bottom
        if let rows = size.rows, lines.count > rows - 1 {
            lines = Array(lines.prefix(rows - 2)) + [StyledLine("… the window is too small for the rest", .faint)]
        }
        return lines.map { $0.clipped(to: size.columns) }
    }

    private static func rowCount(_ sections: [SnapshotTable], limit: Int = .max) -> Int {
        sections.reduce(0) { $0 + min($1.rows.count, limit) }
    }

    /// How many rows each section may have so that everything fits.
    private static func rowLimit(_ sections: [SnapshotTable], room: Int?) -> Int {
        guard let room else { return .max }
        var limit = sections.map(\.rows.count).max() ?? 0
        while limit > 1, rowCount(sections, limit: limit) > room { limit -= 1 }
        return limit
    }

    /// One line for each source or sink that fails.
    private static func failures(_ page: SnapshotPage, _ size: TableSize) -> [StyledLine] {
        let all = page.failures
        let shown = all.count > mostFailures ? mostFailures - 1 : all.count
        // In a window, what can be done has a line only where little fails.
        let advised = size.rows == nil || all.count <= mostAdvised
        var lines = all.prefix(shown).flatMap { failure -> [StyledLine] in
            var line = StyledLine("✗ \(failure.instance)  \(failure.code)", .warning)
            if let since = failure.since { line.append("  since \(clock(since, besides: page.time))", .warning) }
            line.append("  \(failure.message)")
            return [line] + (advised ? failure.advice.prefix(1).map { StyledLine("  try: \($0)", .faint) } : [])
        }
        if all.count > shown { lines.append(StyledLine("✗ … \(all.count - shown) more fail", .warning)) }
        return lines
    }

    /// What counts most drops, each with why and, below it, what to try.
    private static func drops(_ page: SnapshotPage) -> [StyledLine] {
        let all = page.drops.sorted { ($0.packets ?? 0) > ($1.packets ?? 0) }
        var lines = all.prefix(mostDrops).flatMap(drop)
        if all.count > mostDrops { lines.append(StyledLine("▼ … \(all.count - mostDrops) more count drops", .warning)) }
        return lines
    }

    private static func drop(_ drop: SnapshotPage.Drop) -> [StyledLine] {
        var line = StyledLine("▼ \(drop.counter)  \(QuantityText.count(drop.packets))", .warning)
        guard let reason = drop.reason else {
            line.append("  without a reason from the kernel", .faint)
            return [line]
        }
        line.append("  \(reason)", .warning)
        if let meaning = drop.meaning { line.append("  \(meaning)") }
        return [line] + (drop.advice.map { [StyledLine("  try: \($0)", .faint)] } ?? [])
    }

    private static func section(_ view: SnapshotView, columns: Int) -> SnapshotTable {
        var title = StyledLine()
        switch view.content {
        case .bandwidth(let interfaces, let total):
            title.append("Bandwidth", .strong)
            title.append("  bytes/s · \(origin(view))", .faint)
            return SnapshotTable(bandwidth: interfaces, total: total, title: title, columns: columns)
        case .connections(let groups):
            title.append("Connections", .strong)
            title.append("  sockets · \(origin(view))", .faint)
            return SnapshotTable(connections: groups, title: title, columns: columns)
        case .dns(let parts):
            title.append("DNS", .strong)
            title.append("  queries/s · \(origin(view))", .faint)
            return SnapshotTable(dns: parts, title: title, columns: columns)
        case .drops(let reasons):
            title.append("Drops", .strong)
            title.append("  packets of the whole host · \(origin(view))", .faint)
            return SnapshotTable(drops: reasons, title: title, columns: columns)
        }
    }

    private static func origin(_ view: SnapshotView) -> String {
        let source = view.source.isEmpty ? "" : "\(view.source) · "
        return "\(source)over \(view.window)"
    }

    private static func title(_ page: SnapshotPage) -> StyledLine {
        var line = StyledLine("sonde", .strong)
        if let host = page.host { line.append("  \(host)") }
        if let time = page.time { line.append("  \(clock(time))", .faint) }
        return line
    }

    /// `2026-01-01 00:00:10 UTC` from `2026-01-01T00:00:10.000Z`; anything else as it is.
    ///
    /// Of a time on the same day as another one, only the time of day: `00:00:10`.
    private static func clock(_ time: String, besides other: String? = nil) -> String {
        let bytes = Array(time.utf8)
        guard bytes.count == 24, bytes[10] == 0x54, bytes[19] == 0x2e, bytes[23] == 0x5a else { return time }
        let (day, seconds) = (bytes[..<10], String(decoding: bytes[11..<19], as: UTF8.self))
        if let other, other.utf8.starts(with: day) { return seconds }
        return String(decoding: day, as: UTF8.self) + " \(seconds) UTC"
    }
}

/// Which rows a table has.
public enum TableRows: Hashable, Sendable {
    /// Without those that were 0 for all of the window; `hint` says how they are asked for.
    case busy(hint: String)
    /// All of them, and what the lists need that are not there.
    case all
}

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
