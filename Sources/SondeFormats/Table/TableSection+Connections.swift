extension TableSection {
    private static let countWidth = 11

    /// The table of a connections snapshot.
    init(connections groups: [SnapshotView.ConnectionGroup], title: StyledLine, columns: Int) {
        let transport = min(12, max(9, groups.map { DisplayText.width($0.transport) }.max() ?? 0)) + 2
        let widest = min(24, max(5, groups.map { DisplayText.width($0.state) }.max() ?? 0))
        let choice = ValueColumn.fitting(columns - transport - min(widest, 12), each: Self.countWidth)
        let state = max(5, min(widest, columns - transport - Self.countWidth * choice.count))
        var heads = StyledLine(DisplayText.left("transport", transport) + DisplayText.left("state", state), .faint)
        for column in choice { heads.append(DisplayText.right(column.title, Self.countWidth), .faint) }
        let rows = groups.map { group in
            let style: StyledLine.Style = group.count.hasMoved ? .plain : .faint
            let name = DisplayText.left(group.transport, transport) + DisplayText.left(group.state, state)
            var line = StyledLine(name, style)
            for column in choice {
                let text = QuantityText.count(column.value(of: group.count))
                line.append(DisplayText.right(text, Self.countWidth), style)
            }
            return Row(line: line, isIdle: !group.count.hasMoved)
        }
        let none = [Row(line: StyledLine("no connection is known yet", .faint))]
        self.init(head: [title, heads], rows: rows.isEmpty ? none : rows, rowName: "states")
    }
}
