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

    private static let narrowestCell = 20

    /// The lines, each indented by `indent` spaces.
    ///
    /// What does not fit into so many columns continues below, between words, as long as there is room for some.
    func lines(indent: Int = 0, columns limit: Int? = nil) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        let margin = String(repeating: " ", count: indent)
        return rows.flatMap { row in
            var line = margin
            for (column, cell) in row.dropLast().enumerated() {
                line += cell + String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            let last = row.last ?? ""
            let room = limit.map { $0 - line.count } ?? .max
            guard last.count > room, room >= Self.narrowestCell else { return [line + last] }
            let hanging = String(repeating: " ", count: line.count)
            return Paragraph.lines(last, columns: room).enumerated().map { index, part in
                (index == 0 ? line : hanging) + part
            }
        }
    }
}
