internal import SondeDomain
public import SondeFormats

/// History for people: what each series was in all, and its course as a row of blocks.
public struct HistoryView {
    private static let widestCourse = 24
    private static let narrowestCourse = 8
    // The width of the other columns on most hosts: names come first, a course that has no room is left out.
    private static let tableColumns = 92

    private static let legend = StyledLine(
        "maximum: of whole intervals; peak: within them, where a source looks so closely", .faint)

    private let state: HistoryState
    private let columns: Int

    /// A view of `state` on a terminal that is so wide.
    public init(_ state: HistoryState, columns: Int) {
        self.state = state
        self.columns = max(60, columns)
    }

    /// The lines from top to bottom.
    public var lines: [StyledLine] {
        let heading = StyledLine("\(StatusText.instant(state.from)) to \(StatusText.instant(state.to))", .strong)
        guard !state.series.isEmpty else {
            return [heading, StyledLine("nothing is kept of this time", .faint)]
        }
        let hasPeak = state.series.contains { $0.summary?["peak"]?.asDouble != nil }
        return [heading.clipped(to: columns)] + table + (hasPeak ? [Self.legend.clipped(to: columns)] : [])
    }

    private var table: [StyledLine] {
        let course = min(Self.widestCourse, columns - Self.tableColumns)
        let hasCourse = course >= Self.narrowestCourse
        var table = ColumnTable(
            [
                ("SERIES", .left), ("SOURCE", .left), ("AVERAGE", .right), ("MAXIMUM", .right), ("PEAK", .right),
                ("LAST", .right),
            ] + (hasCourse ? [("COURSE", .left)] : []))
        for series in state.series {
            let name = [series.metric, series.member].compactMap(\.self).joined(separator: " ")
            let numbers = ["average", "maximum", "peak", "last"].map { key in
                ColumnTable.Cell(UnitText.text(series.summary?[key]?.asDouble, series.unit))
            }
            table.append(
                [ColumnTable.Cell(name, .strong), ColumnTable.Cell(series.source)] + numbers
                    + (hasCourse ? [ColumnTable.Cell(self.course(of: series, course))] : []))
        }
        return table.lines(columns: columns)
    }

    /// The mean of each part of the range, as far as something is known of it.
    private func course(of series: HistoryState.Series, _ columns: Int) -> String {
        guard let from = state.from, let to = state.to, from < to else { return "" }
        let (begin, span) = (Double(from.nanoseconds), Double(to.nanoseconds) - Double(from.nanoseconds))
        var parts: [[Double]] = Array(repeating: [], count: columns)
        for point in series.points {
            let place = (Double(point.time.nanoseconds) - begin) / span * Double(columns)
            parts[Int(max(0, min(place, Double(columns - 1))))].append(point.average)
        }
        return Sparkline.text(parts.map { $0.isEmpty ? nil : $0.reduce(0, +) / Double($0.count) })
    }
}
