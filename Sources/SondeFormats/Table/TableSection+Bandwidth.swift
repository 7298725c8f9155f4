extension TableSection {
    private static let narrowRate = 10
    private static let wideRate = 12

    /// The table of a bandwidth snapshot; columns go as the window gets narrow: average first, then peak.
    init(
        bandwidth interfaces: [SnapshotView.Interface],
        total: SnapshotView.Interface?,
        title: StyledLine,
        columns: Int
    ) {
        let names = ["interface"] + (interfaces + (total.map { [$0] } ?? [])).map(\.name)
        let longest = min(40, names.map(DisplayText.width).max() ?? 0)
        let rate = columns >= min(longest, 20) + 6 * Self.wideRate ? Self.wideRate : Self.narrowRate
        let choice = ValueColumn.fitting((columns - min(longest, 20)) / 2, each: rate)
        let nameWidth = max(9, min(longest, columns - 2 * rate * choice.count))
        var groups = StyledLine(DisplayText.spaces(nameWidth))
        for name in ["receive", "transmit"] { groups.append(Self.banner(name, rate * choice.count), .faint) }
        var heads = StyledLine(DisplayText.left("interface", nameWidth), .faint)
        for column in choice + choice { heads.append(DisplayText.right(column.title, rate), .faint) }
        let row = { (interface: SnapshotView.Interface, style: StyledLine.Style) in
            Self.row(interface, nameWidth, choice, rate, style)
        }
        self.init(
            head: [title, groups, heads],
            rows: interfaces.map { Row(line: row($0, $0.hasMoved ? .plain : .faint), isIdle: !$0.hasMoved) },
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
        return line
    }

    /// `  ─ receive ──────`, with a gap before it.
    private static func banner(_ text: String, _ width: Int) -> String {
        let label = "  ─ " + text + " "
        return label + String(repeating: "─", count: max(0, width - DisplayText.width(label)))
    }
}
