public import SondeFormats

/// Last points of series for people: one line each.
public struct SeriesListView {
    /// How points are laid out.
    public enum Layout: Sendable {
        /// All are there: in columns, below a heading.
        case table
        /// More come later: each on a line of its own.
        case rows
    }

    private static let columns = ["TIME", "SOURCE", "METRIC", "ATTRIBUTES", "VALUE", "UNIT"]

    private let items: [JSONValue]
    private let layout: Layout

    /// A view of items as the control socket answers them; what is no point is left out.
    public init(_ items: [JSONValue], _ layout: Layout) {
        self.items = items
        self.layout = layout
    }

    /// The lines.
    public var lines: [StyledLine] {
        let rows = items.compactMap(Self.cells)
        switch layout {
        case .table:
            var table = TextTable(Self.columns)
            for row in rows { table.append(row) }
            return table.lines().map { StyledLine(HarmlessText.line($0)) }
        case .rows:
            return rows.map { row in
                StyledLine(HarmlessText.line(row.filter { !$0.isEmpty }.joined(separator: "  ")))
            }
        }
    }

    private static func cells(_ item: JSONValue) -> [String]? {
        guard let name = item["name"]?.asString else { return nil }
        let attributes = (item["attributes"]?.asObject ?? []).map { "\($0.key)=\($0.value.asString ?? "")" }
        return [
            item["time"]?.asString ?? StatusText.unknown, item["source"]?.asString ?? "", name,
            attributes.joined(separator: " "), PointLineView.value(item), item["unit"]?.asString ?? "",
        ]
    }
}
