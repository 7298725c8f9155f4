internal import SondeDomain
internal import SondeFormats

/// The chart of a dashboard with its title, scale and times.
struct DashboardChartView {
    private static let scale = 11

    private let state: DashboardState
    private let subject: DashboardSubject
    private let columns: Int
    private let rows: Int

    init(_ state: DashboardState, _ subject: DashboardSubject, columns: Int, rows: Int) {
        (self.state, self.subject, self.columns, self.rows) = (state, subject, columns, rows)
    }

    var lines: [StyledLine] {
        let chart = state.history.value.flatMap { $0.subject == subject ? $0 : nil } ?? DashboardChart(subject)
        let drawn = BrailleChart(chart, columns: columns - Self.scale - 1, rows: rows)
        let dots = chart.points.isEmpty ? absence : drawn.lines(state.chart)
        let body = dots.enumerated().map { index, text in
            var line = StyledLine(label(index, drawn.top), .faint)
            line.append(index == dots.count - 1 ? "└" : "│", .faint)
            line.append(text, chart.points.isEmpty ? .faint : .plain)
            return line
        }
        return [title(chart)] + body + [times(chart)]
    }

    private func title(_ chart: DashboardChart) -> StyledLine {
        var line = StyledLine(subject.metric.title, .strong)
        if let member = subject.member, member != subject.metric.wholeMember {
            line.append(" of \(HarmlessText.line(member))", .strong)
        }
        let unit = subject.metric.unit
        let numbers = [
            ("now", chart.values.current), ("average", chart.values.average), ("highest", chart.values.peak),
        ].map { "\($0) \(UnitText.text($1, unit))" }
        line.append("  \(subject.range.name) · \(state.chart.rawValue) · " + numbers.joined(separator: " · "), .faint)
        return line
    }

    /// The upper edge, and nothing.
    private func label(_ index: Int, _ top: Double) -> String {
        let text = index == 0 ? UnitText.text(top, subject.metric.unit) : index == rows - 1 ? "0" : ""
        let gap = Self.scale - ColumnTable.width(text) - 1
        return String(repeating: " ", count: max(0, gap)) + text + " "
    }

    /// Why there is no point.
    private var absence: [String] {
        let reason =
            switch state.history.loading {
            case .idle, .loading, .loadingMore, .refreshing: "waiting for the agent"
            case .success: "nothing is kept of this yet"
            case .failed: state.history.failure.map { HarmlessText.line($0.message) } ?? "nothing is known"
            }
        var lines = Array(repeating: "", count: rows)
        lines[rows / 2] = " \(reason)"
        return lines
    }

    private func times(_ chart: DashboardChart) -> StyledLine {
        guard let begin = chart.begin, let end = chart.end else { return StyledLine() }
        let width = columns - Self.scale - 1
        let length = text(begin).utf8.count
        // Of each at least as much is free as it takes itself.
        let steps = max(1, min(4, width / (2 * length) - 1))
        var line = String(repeating: " ", count: Self.scale + 1)
        for step in 0...steps {
            let distance = end.nanoseconds.subtractingReportingOverflow(begin.nanoseconds).partialValue
            let time = begin.advanced(by: Nanoseconds(distance / Int64(steps) * Int64(step)))
            // The first begins where the chart does, the last ends with it, the others have their time in the middle.
            let place = step * (width - length) / steps
            line += String(repeating: " ", count: max(step == 0 ? 0 : 1, Self.scale + 1 + place - line.utf8.count))
            line += text(time)
        }
        return StyledLine(line, .faint)
    }

    /// The time of day, for longer ranges after the day.
    private func text(_ time: Timestamp) -> String {
        let text = StatusText.instant(time)
        return subject.range > .day ? String(text.dropFirst(5).prefix(11)) : String(text.dropFirst(11).prefix(8))
    }
}
