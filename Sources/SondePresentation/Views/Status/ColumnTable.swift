internal import SondeFormats

/// Cells in aligned columns, two spaces apart; the first column is cut where there is little room.
struct ColumnTable {
    /// One cell.
    struct Cell {
        let text: String
        let style: StyledLine.Style

        init(_ text: String, _ style: StyledLine.Style = .plain) {
            self.text = HarmlessText.line(text)
            self.style = style
        }
    }

    /// On which side a column's cells are flush.
    enum Side {
        case left
        case right
    }

    private static let narrowest = 8

    private let sides: [Side]
    private var rows: [[Cell]]

    init(_ columns: [(title: String, side: Side)]) {
        sides = columns.map(\.side)
        rows = [columns.map { Cell($0.title, .faint) }]
    }

    mutating func append(_ row: [Cell]) {
        rows.append(row)
    }

    func lines(columns: Int) -> [StyledLine] {
        var widths = sides.indices.map { index in rows.map { Self.width($0[index].text) }.max() ?? 0 }
        let excess = widths.reduce(0, +) + 2 * (widths.count - 1) - columns
        if excess > 0, let first = widths.first { widths[0] = max(min(first, Self.narrowest), first - excess) }
        return rows.map { row in
            var line = StyledLine()
            for (index, cell) in row.enumerated() {
                if index > 0 { line.append("  ") }
                let text = Self.clip(cell.text, to: widths[index])
                let gap = String(repeating: " ", count: widths[index] - Self.width(text))
                if sides[index] == .right { line.append(gap) }
                line.append(text, cell.style)
                if sides[index] == .left { line.append(gap) }
            }
            return line.clipped(to: columns)
        }
    }

    static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + CharacterWidth.columns(of: $1) }
    }

    private static func clip(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        var kept = String.UnicodeScalarView()
        var rest = columns - 1
        for scalar in text.unicodeScalars {
            rest -= CharacterWidth.columns(of: scalar)
            guard rest >= 0 else { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }
}
