internal import SondeDomain

extension TableView {
    /// With less room than that a list says nothing.
    private static let leastRows = 2
    /// In a window, several lists are better than a long one.
    private static let mostRows = 5
    private static let valueWidth = 12
    private static let shareWidth = 7

    /// Lists as far as there is room, each with an empty line above it; those that are empty have none.
    static func listLines(_ page: SnapshotPage, _ size: TableSize, room: Int?) -> [StyledLine] {
        let lists = page.lists.filter { !$0.rows.isEmpty }
        guard var room else { return lists.flatMap { list($0, rows: $0.rows.count, size.columns) } }
        var lines: [StyledLine] = []
        for next in lists {
            let rows = min(next.rows.count, mostRows, room - 2)
            guard rows >= min(leastRows, next.rows.count) else { break }
            let more = list(next, rows: rows, size.columns)
            lines += more
            room -= more.count
        }
        return lines
    }

    /// What the lists need that no source reports.
    static func absentLines(_ page: SnapshotPage, isBounded: Bool) -> [StyledLine] {
        guard !isBounded, !page.absentLists.isEmpty else { return [] }
        return [StyledLine()] + page.absentLists.map { StyledLine("– \($0.title): needs \($0.needs)", .faint) }
    }

    private static func list(_ list: SnapshotPage.List, rows count: Int, _ columns: Int) -> [StyledLine] {
        var title = StyledLine(list.title, .strong)
        let source = list.source.isEmpty ? "" : " · \(list.source)"
        let span = list.interval.map {
            " · last \(DurationText.text(of: Nanoseconds(Int64(($0 * 10).rounded()) * 100_000_000)))"
        }
        title.append("  \(unit(list))\(source)\(span ?? "")", .faint)
        let more = list.count - count
        if more > 0 { title.append(" · \(more) more", .faint) }
        let longest = list.rows.prefix(count).map { DisplayText.width($0.label) }.max() ?? 0
        let label = max(10, min(longest, columns - valueWidth - shareWidth))
        let lines = list.rows.prefix(count).map { row in
            var line = StyledLine(DisplayText.left(row.label, label))
            line.append(DisplayText.right(value(row.value, list), valueWidth))
            line.append(DisplayText.right(share(row.value, list.total), shareWidth), .faint)
            return line
        }
        return [StyledLine(), title] + lines
    }

    private static func unit(_ list: SnapshotPage.List) -> String {
        guard list.unit != "By" else { return list.interval == nil ? "bytes" : "bytes/s" }
        let word = list.unit.filter { $0 != "{" && $0 != "}" }
        guard list.unit.hasPrefix("{"), !word.isEmpty else { return list.unit }
        return word.hasSuffix("y") ? String(word.dropLast()) + "ies" : word + "s"
    }

    private static func value(_ value: Double?, _ list: SnapshotPage.List) -> String {
        guard list.unit == "By" else { return QuantityText.count(value) }
        guard let interval = list.interval else { return QuantityText.volume(value) }
        return QuantityText.rate(value.map { $0 / interval })
    }

    private static func share(_ value: Double?, _ total: Double?) -> String {
        guard let value, let total, total > 0, value >= 0, value <= total else { return "" }
        let share = value / total * 100
        guard share.isFinite else { return "" }
        return share < 0.5 ? "<1 %" : "\(Int(share.rounded())) %"
    }
}
