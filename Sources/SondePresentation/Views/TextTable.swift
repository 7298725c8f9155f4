/// Rows of text in aligned columns, two spaces apart.
///
/// The last column is not padded.
struct TextTable {
    private var rows: [[String]] = []

    /// A table with a heading row.
    init(_ heading: [String]) {
        rows.append(heading)
    }

    mutating func append(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, each indented by `indent` spaces.
    func lines(indent: Int = 0) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        let margin = String(repeating: " ", count: indent)
        return rows.map { row in
            var line = margin
            for (column, cell) in row.enumerated() {
                line += cell
                guard column < row.count - 1 else { break }
                line += String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            return line
        }
    }
}
