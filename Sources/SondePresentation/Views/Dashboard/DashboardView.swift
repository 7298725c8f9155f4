internal import SondeDomain
public import SondeFormats

/// A dashboard on a terminal: title and pages, what fails, a chart, a table, and the keys.
public struct DashboardView {
    let state: DashboardState
    let columns: Int
    private let rows: Int?
    private let rowsOfPage: DashboardTable

    /// A view of `state` in a window of that size; without rows it is as long as it has to be, and has no keys.
    public init(_ state: DashboardState, size: TableSize) {
        (self.state, columns, rows, rowsOfPage) = (state, size.columns, size.rows, state.table)
    }

    /// The lines from top to bottom; exactly as many as the window has rows.
    public var lines: [StyledLine] {
        guard let rows else { return whole.map { $0.clipped(to: columns) } }
        var body = state.showsHelp ? DashboardKeys.explained : alerts + chart + table + details
        let room = max(0, rows - head.count - foot.count)
        body = Array(body.prefix(room))
        body += Array(repeating: StyledLine(), count: room - body.count)
        return (head + body + foot).suffix(rows).map { $0.clipped(to: columns) }
    }

    /// How many rows of the table have room, for ``DashboardIntent/fit(rows:)``.
    public var rowRoom: Int {
        guard let rows else { return 1_000 }
        let others = head.count + foot.count + alerts.count + chart.count + details.count
        // The names of the columns, and what is said of the rows below and above.
        return max(1, rows - others - 2 - (rowsOfPage.title == nil ? 0 : 1))
    }

    private var whole: [StyledLine] {
        [title, StyledLine()] + alerts + chart + table
    }

    // MARK: Head and foot

    private var head: [StyledLine] { [title, tabs] }

    private var title: StyledLine {
        var line = StyledLine("sonde", .strong)
        if let host = state.snapshot.value?.host { line.append("  \(host)") }
        if let time = state.snapshot.value?.time.flatMap(TimestampText.parse) {
            line.append("  \(StatusText.instant(time))", .faint)
        }
        line.append("  ")
        if state.isAgentGone {
            line.append("no agent answers, asking again", .warning)
        } else if state.isPaused {
            line.append("paused", .warning)
        } else {
            line.append(state.snapshot.value == nil ? "connecting" : "live", .faint)
        }
        return line
    }

    private var tabs: StyledLine {
        var line = StyledLine()
        for (index, tab) in DashboardTab.allCases.enumerated() {
            if index > 0 { line.append(" ") }
            let isShown = tab == state.tab
            line.append(
                isShown ? "[\(index + 1) \(tab.rawValue)]" : "\(index + 1) \(tab.rawValue)", isShown ? .strong : .faint)
        }
        return line
    }

    private var foot: [StyledLine] { [message, DashboardKeys.line(of: state.tab)] }

    private var message: StyledLine {
        if let entry = state.entry {
            return StyledLine("filter: \(HarmlessText.line(entry))_  (Enter keeps it, Esc takes it away)", .strong)
        }
        // What a key has done is said for a moment, a failure as long as it lasts.
        if state.order.loading == .success, let instance = state.order.value {
            return StyledLine("\(HarmlessText.line(instance)) tries again now")
        }
        if let failure = state.failure { return text(failure) }
        if let file = state.export.value {
            let progress = file.isComplete ? "is written" : "is being written, \(file.done) of \(file.count) parts"
            return StyledLine("\(file.fileName) \(progress)")
        }
        return StyledLine()
    }

    private func text(_ failure: DashboardFailure) -> StyledLine {
        if state.showsConfiguration, case .reconfigure(let yaml) = failure.recovery {
            return StyledLine([StyledLine.Span("put this into the configuration: "), StyledLine.Span(yaml, .strong)])
        }
        let key =
            switch failure.recovery {
            case .retry: "t asks again"
            case .resetRange: "t goes back to 1h"
            case .retryExport: "t exports again"
            case .reconfigure: "t shows what to configure"
            case .dismiss: "d takes it away"
            }
        var line = StyledLine("✗ \(HarmlessText.line(failure.code))", .warning)
        line.append("  \(key)", .strong)
        line.append("  \(HarmlessText.line(failure.message))", .warning)
        return line
    }

    // MARK: What is broken

    /// What fails; on the page of plugins it is shown in full below.
    private var alerts: [StyledLine] {
        guard state.tab != .plugins, let page = state.snapshot.value else { return [] }
        let most = state.tab == .overview ? 3 : 1
        let all = page.failures
        let shown = all.count > most ? most - 1 : all.count
        var lines = all.prefix(shown).flatMap { failure in
            var line = StyledLine("✗ \(failure.instance)  \(failure.code)", .warning)
            if let since = failure.since.flatMap(TimestampText.parse) {
                line.append("  for \(AgeText.since(since, at: page.time.flatMap(TimestampText.parse)))", .warning)
            }
            line.append("  \(failure.message)")
            return [line] + (state.tab == .overview ? advice(failure.instance) : [])
        }
        if all.count > shown {
            let rest = shown == 0 ? "\(all.count)" : "… \(all.count - shown) more"
            lines.append(StyledLine("✗ \(rest) fail; press 7 for what to do", .warning))
        }
        return lines + drops(page)
    }

    private func advice(_ instance: String) -> [StyledLine] {
        let failure = state.status.value?.instances.first { $0.id == instance }?.failures.first
        return (failure?.recovery.prefix(1) ?? []).map { StyledLine("  do: \(HarmlessText.line($0))", .faint) }
    }

    /// What is dropped most, with what to try.
    private func drops(_ page: SnapshotPage) -> [StyledLine] {
        guard state.tab == .overview || state.tab == .dns,
            let drop = page.drops.max(by: { ($0.packets ?? 0) < ($1.packets ?? 0) })
        else { return [] }
        var line = StyledLine("▼ \(drop.counter)  \(QuantityText.count(drop.packets))", .warning)
        if let reason = drop.reason { line.append("  \(reason)", .warning) }
        if let meaning = drop.meaning { line.append("  \(meaning)") }
        return [line] + (drop.advice.map { [StyledLine("  try: \($0)", .faint)] } ?? [])
    }

    // MARK: The chart

    private var chart: [StyledLine] {
        guard let subject = state.subject else { return [] }
        let height = chartHeight
        guard height > 0 else { return [] }
        return DashboardChartView(state, subject, columns: columns, rows: height).lines
    }

    private var chartHeight: Int {
        guard let rows else { return 6 }
        let room = rows - head.count - foot.count - alerts.count
        return room < 12 ? 0 : min(12, room * 2 / 5 - 2)
    }

    // MARK: The table

    private var table: [StyledLine] {
        let all = rowsOfPage
        guard !all.rows.isEmpty else { return [StyledLine(absence(all), .faint)] }
        let hint = rows != nil && state.list == nil && !state.tab.lists.isEmpty ? " · l lists them" : ""
        let title = all.title.map { [StyledLine($0 + hint, .strong)] } ?? []
        let shown = rows == nil ? all.rows[...] : all.rows.dropFirst(state.firstRow).prefix(state.pageSize)
        let hasCourse = state.tab.hasCourses && columns >= 76
        var names = all.columns.enumerated().map { index, name in
            (title: index == 0 ? "  \(name)" : name, side: index < all.wordCount ? ColumnTable.Side.left : .right)
        }
        if hasCourse { names.append((title: state.range.name.uppercased(), side: .left)) }
        var lines = ColumnTable(names)
        for row in shown { lines.append(cells(row, all, hasCourse: hasCourse)) }
        return title + lines.lines(columns: columns) + (rows == nil ? [] : [summary(all, shown.count)])
    }

    private func absence(_ table: DashboardTable) -> String {
        if table.allRows.isEmpty { return table.absence }
        let idle = table.idleCount > 0 ? "; \(table.idleCount) are idle, a shows them" : ""
        return state.filter.isEmpty
            ? "no \(table.rowName)\(idle)" : "no \(table.rowName) with '\(HarmlessText.line(state.filter))'\(idle)"
    }

    private func cells(_ row: DashboardTable.Row, _ table: DashboardTable, hasCourse: Bool) -> [ColumnTable.Cell] {
        let isSelected = row.id == state.selected
        let style: StyledLine.Style = isSelected ? .strong : row.isFailing ? .warning : row.isIdle ? .faint : .plain
        var cells = row.texts.enumerated().map { index, text in
            ColumnTable.Cell(index == 0 ? (isSelected ? "› " : row.isFailing ? "✗ " : "  ") + text : text, style)
        }
        if hasCourse {
            let course = row.course.map { BrailleChart($0).lines(.area)[0] } ?? ""
            cells.append(ColumnTable.Cell(course, style))
        }
        return cells
    }

    /// Which of the rows are shown, and why others are not.
    private func summary(_ table: DashboardTable, _ shown: Int) -> StyledLine {
        var parts: [String] = []
        if shown < table.rows.count {
            parts.append("\(state.firstRow + 1) to \(state.firstRow + shown) of \(table.rows.count) \(table.rowName)")
        }
        if table.idleCount > 0 { parts.append("\(table.idleCount) idle hidden, a shows them") }
        if state.sort != .importance { parts.append("by \(state.sort.rawValue)") }
        if !state.filter.isEmpty { parts.append("with '\(HarmlessText.line(state.filter))'") }
        return StyledLine(parts.joined(separator: " · "), .faint)
    }

    // MARK: The failure that is selected

    private var details: [StyledLine] {
        guard state.tab == .plugins, let status = state.status.value else { return [] }
        let id = state.selected ?? rowsOfPage.rows.first(where: \.isFailing)?.id
        guard let instance = status.instances.first(where: { $0.id == id }) else { return [] }
        let lines = instance.failures.prefix(1).flatMap { failure($0, of: instance, status) }
        let losses = status.losses.filter { $0.component == instance.id }.prefix(2).map {
            StyledLine(HarmlessText.line("lost: \($0.amount), \($0.reason)"), .warning)
        }
        return Array((lines + losses).prefix(max(2, (rows ?? 24) / 3)))
    }

    private func failure(
        _ failure: StatusState.Failure, of instance: StatusState.Instance, _ status: StatusState
    ) -> [StyledLine] {
        var title = StyledLine(HarmlessText.line("\(instance.id)  \(failure.code)"), .strong)
        title.append("  for \(AgeText.since(failure.since, at: status.time))", .warning)
        if let count = failure.count, count > 1 { title.append(", \(StatusText.count(count)) times", .warning) }
        title.append("  t tries again now", .faint)
        let message = ([failure.message] + failure.cause).joined(separator: "; because ")
        var lines = [title] + Paragraph.lines(message, columns: columns - 2).map { StyledLine("  \($0)") }
        lines += failure.recovery.flatMap { Paragraph.lines("do: \($0)", columns: columns - 2) }.map {
            StyledLine("  \($0)")
        }
        if let yaml = failure.yaml(of: instance) {
            lines.append(StyledLine(HarmlessText.line("  \(failure.place.map { "\($0): " } ?? "")\(yaml)"), .strong))
        }
        return lines
    }
}
