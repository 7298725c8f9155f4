/// One table of a view: fixed lines around rows of which some may be left out.
struct SnapshotTable {
    /// A row.
    struct Row {
        var line: StyledLine
        /// Whether all known values are 0: the first to be left out where there is no room.
        var isIdle = false
        /// Whether it was 0 for all of the window: left out unless it is asked for.
        var isQuiet = false
    }

    /// Title and column heads.
    var head: [StyledLine]
    /// The rows, most important first.
    var rows: [Row]
    /// A sum, always shown.
    var foot: [StyledLine] = []
    /// What rows are called when some are left out, in the plural.
    var rowName: String

    /// Lines that cannot be left out.
    var fixedCount: Int { head.count + foot.count }

    /// All lines with no more than `limit` rows, the last of which names what is missing.
    func lines(rows limit: Int) -> [StyledLine] {
        guard rows.count > limit else { return head + rows.map(\.line) + foot }
        let shown = max(0, limit - 1)
        let rest = StyledLine("… \(rows.count - shown) more \(rowName)", .faint)
        return head + rows.prefix(shown).map(\.line) + [rest] + foot
    }

    /// The same with one line in the place of all rows that were 0 for all of the window; `hint`: how they are asked for.
    func withoutQuietRows(_ hint: String) -> SnapshotTable {
        let quiet = rows.count { $0.isQuiet }
        guard quiet > 0 else { return self }
        var busy = self
        let name = quiet == 1 ? String(rowName.dropLast()) : rowName
        let rest = StyledLine("… \(quiet) quiet \(name)\(hint.isEmpty ? "" : " (\(hint))")", .faint)
        busy.rows = rows.filter { !$0.isQuiet } + [Row(line: rest)]
        return busy
    }

    /// The same with one line in the place of all idle rows.
    var withoutIdleRows: SnapshotTable {
        let idle = rows.count { $0.isIdle }
        guard idle > 1 else { return self }
        var busy = self
        busy.rows = rows.filter { !$0.isIdle } + [Row(line: StyledLine("… \(idle) idle \(rowName)", .faint))]
        return busy
    }
}

extension SnapshotTable {
    private static let narrowRate = 10
    private static let wideRate = 12
    private static let stepWidth = 7

    /// The table of a bandwidth snapshot; columns go as the window gets narrow: average first, then peak.
    init(
        bandwidth interfaces: [SnapshotView.Interface],
        total: SnapshotView.Interface?,
        title: StyledLine,
        columns: Int
    ) {
        let names = ["interface"] + (interfaces + (total.map { [$0] } ?? [])).map(\.name)
        let longest = min(40, names.map(DisplayText.width).max() ?? 0)
        let half = (columns - min(longest, 13) - Self.stepWidth) / 2
        let rate = half >= 3 * Self.wideRate ? Self.wideRate : Self.narrowRate
        let choice = ValueColumn.fitting(half, each: rate)
        let step = choice.contains(.peak) ? Self.stepWidth : 0
        let nameWidth = max(9, min(longest, columns - 2 * rate * choice.count - step))
        var groups = StyledLine(DisplayText.spaces(nameWidth))
        for name in ["receive", "transmit"] { groups.append(Self.banner(name, rate * choice.count), .faint) }
        var heads = StyledLine(DisplayText.left("interface", nameWidth), .faint)
        for column in choice + choice { heads.append(DisplayText.right(column.title, rate), .faint) }
        if step > 0 { heads.append(DisplayText.right("of", step), .faint) }
        let row = { (interface: SnapshotView.Interface, style: StyledLine.Style) in
            Self.row(interface, nameWidth, choice, rate, style)
        }
        self.init(
            head: [title, groups, heads],
            rows: interfaces.map {
                Row(line: row($0, $0.hasMoved ? .plain : .faint), isIdle: !$0.hasMoved, isQuiet: $0.isQuiet)
            },
            foot: total.map { [row($0, .strong)] } ?? [],
            rowName: "interfaces"
        )
        if interfaces.isEmpty { rows = [Row(line: StyledLine("no interface is known yet", .faint))] }
    }

    private static func row(
        _ interface: SnapshotView.Interface,
        _ nameWidth: Int,
        _ columns: [ValueColumn],
        _ rateWidth: Int,
        _ style: StyledLine.Style
    ) -> StyledLine {
        var line = StyledLine(DisplayText.left(interface.name, nameWidth), style)
        for values in [interface.receive, interface.transmit] {
            for column in columns {
                let value = column.value(of: values)
                let isQuiet = (value ?? 0) == 0 && style == .plain
                line.append(DisplayText.right(QuantityText.rate(value), rateWidth), isQuiet ? .faint : style)
            }
        }
        if columns.contains(.peak) { line.append(DisplayText.right(Self.step(of: interface), stepWidth), .faint) }
        return line
    }

    /// What the peaks of both directions are the averages of; where they differ, of no more than that.
    private static func step(of interface: SnapshotView.Interface) -> String {
        let peaks = [interface.receive, interface.transmit].filter { ($0.peak ?? 0) != 0 }
        guard let longest = peaks.compactMap(\.peakStep).max() else { return "" }
        let isSame = peaks.allSatisfy { $0.peakStep == longest }
        return (isSame ? "" : "≤") + QuantityText.step(longest)
    }

    /// `  ─ receive ──────`, with a gap before it.
    private static func banner(_ text: String, _ width: Int) -> String {
        let label = "  ─ " + text + " "
        return label + String(repeating: "─", count: max(0, width - DisplayText.width(label)))
    }
}

extension SnapshotTable {
    private static let countWidth = 11

    /// The table of a connections snapshot.
    init(connections groups: [SnapshotView.ConnectionGroup], title: StyledLine, columns: Int) {
        let transport = min(12, max(9, groups.map { DisplayText.width($0.transport) }.max() ?? 0)) + 2
        let widest = min(24, max(5, groups.map { DisplayText.width($0.state) }.max() ?? 0))
        let choice = ValueColumn.fitting(columns - transport - min(widest, 12), each: Self.countWidth, step: 6)
        let state = max(5, min(widest, columns - transport - ValueColumn.width(choice, each: Self.countWidth)))
        var heads = StyledLine(DisplayText.left("transport", transport) + DisplayText.left("state", state), .faint)
        for column in choice { heads.append(column.head(Self.countWidth), .faint) }
        let rows = groups.map { group in
            let style: StyledLine.Style = group.count.hasMoved ? .plain : .faint
            let name = DisplayText.left(group.transport, transport) + DisplayText.left(group.state, state)
            var line = StyledLine(name, style)
            for column in choice {
                column.append(group.count, Self.countWidth, style, to: &line)
            }
            return Row(line: line, isIdle: !group.count.hasMoved, isQuiet: group.isQuiet)
        }
        let none = [Row(line: StyledLine("no connection is known yet", .faint))]
        self.init(head: [title, heads], rows: rows.isEmpty ? none : rows, rowName: "states")
    }
}

extension SnapshotTable {
    private static let numberWidth = 10

    /// The table of what is known of DNS.
    init(dns parts: [SnapshotView.DNSPart], title: StyledLine, columns: Int) {
        let name = 9
        let choice = ValueColumn.fitting(columns - name - 3 * Self.numberWidth, each: Self.numberWidth, step: 6)
        var heads = StyledLine(DisplayText.left("seen", name), .faint)
        for column in choice { heads.append(column.head(Self.numberWidth), .faint) }
        for head in ["queries", "failures", "p95 ms"] {
            heads.append(DisplayText.right(head, Self.numberWidth), .faint)
        }
        let rows = parts.map { part in
            var line = StyledLine(DisplayText.left(part.name, name), part.name == "joined" ? .strong : .plain)
            let milliseconds = part.latency.map { ($0 * 1e5).rounded() / 100 }
            for column in choice { column.append(part.rate, Self.numberWidth, .plain, to: &line) }
            for value in [part.queries, part.failures, milliseconds] {
                line.append(DisplayText.right(QuantityText.count(value), Self.numberWidth))
            }
            return Row(line: line)
        }
        self.init(head: [title, heads], rows: rows, rowName: "sources")
    }
}

extension SnapshotTable {
    /// The table of why packets were dropped.
    init(drops: [SnapshotView.Drop], title: StyledLine, columns: Int) {
        let widest = drops.map { DisplayText.width($0.reason ?? QuantityText.unknown) }.max() ?? 0
        let name = min(28, max(8, widest)) + 2
        let head =
            DisplayText.left("reason", name) + DisplayText.right("packets", Self.numberWidth) + "  counted as"
        let rows = drops.map { drop in
            let count = DisplayText.right(QuantityText.count(drop.packets), Self.numberWidth)
            var line = StyledLine(DisplayText.left(drop.reason ?? QuantityText.unknown, name) + count)
            let counters = drop.counters.joined(separator: ", ")
            line.append("  " + DisplayText.clip(counters, to: max(0, columns - name - Self.numberWidth - 2)), .faint)
            return Row(line: line)
        }
        let none = [Row(line: StyledLine("no packet was dropped", .faint))]
        self.init(
            head: [title, StyledLine(head, .faint)], rows: rows.isEmpty ? none : rows, rowName: "reasons")
    }
}

/// Which of a snapshot's three values a column shows.
enum ValueColumn: CaseIterable {
    case current
    case average
    case peak

    /// The column's head.
    var title: String {
        switch self {
        case .current: "current"
        case .average: "average"
        case .peak: "peak"
        }
    }

    /// The value to show.
    func value(of values: SnapshotView.Values) -> Double? {
        switch self {
        case .current: values.current
        case .average: values.average
        case .peak: values.peak
        }
    }

    /// The columns that fit: all, or without the average, or only the current value; `step`: what stands beside the peak.
    static func fitting(_ width: Int, each columnWidth: Int, step: Int = 0) -> [ValueColumn] {
        let choices = [allCases, [.current, .peak]]
        return choices.first { $0.count * columnWidth + step <= width } ?? [.current]
    }

    /// How wide columns are together: beside a peak stands what it is the average of.
    static func width(_ columns: [ValueColumn], each columnWidth: Int) -> Int {
        columns.reduce(0) { $0 + columnWidth + $1.stepWidth }
    }

    private var stepWidth: Int { self == .peak ? 6 : 0 }

    /// The head in a column of this width.
    func head(_ width: Int) -> String {
        DisplayText.right(title, width) + (self == .peak ? DisplayText.right("of", stepWidth) : "")
    }

    /// Appends a count in a column of this width.
    func append(_ values: SnapshotView.Values, _ width: Int, _ style: StyledLine.Style, to line: inout StyledLine) {
        line.append(DisplayText.right(QuantityText.count(value(of: values)), width), style)
        guard self == .peak else { return }
        line.append(DisplayText.right(QuantityText.step(ofPeak: values), stepWidth), .faint)
    }
}
