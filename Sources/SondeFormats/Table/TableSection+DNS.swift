extension TableSection {
    private static let numberWidth = 10

    /// The table of what is known of DNS.
    init(dns parts: [SnapshotView.DNSPart], title: StyledLine, columns: Int) {
        let name = 9
        let choice = ValueColumn.fitting(columns - name - 3 * Self.numberWidth, each: Self.numberWidth)
        var heads = StyledLine(DisplayText.left("seen", name), .faint)
        for column in choice { heads.append(DisplayText.right(column.title, Self.numberWidth), .faint) }
        for head in ["queries", "failures", "p95 ms"] {
            heads.append(DisplayText.right(head, Self.numberWidth), .faint)
        }
        let rows = parts.map { part in
            var line = StyledLine(DisplayText.left(part.name, name), part.name == "joined" ? .strong : .plain)
            let milliseconds = part.latency.map { ($0 * 1e5).rounded() / 100 }
            for value in choice.map({ $0.value(of: part.rate) }) + [part.queries, part.failures, milliseconds] {
                line.append(DisplayText.right(QuantityText.count(value), Self.numberWidth))
            }
            return Row(line: line)
        }
        self.init(head: [title, heads], rows: rows, rowName: "sources")
    }
}
