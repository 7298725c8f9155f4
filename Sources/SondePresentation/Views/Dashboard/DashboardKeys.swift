internal import SondeDomain
internal import SondeFormats

/// The keys of a dashboard on a terminal.
public enum DashboardKeys {
    /// A key that was pressed.
    public enum Key: Hashable, Sendable {
        /// A character.
        case character(Character)
        /// Up or down, left or right, a page up or down.
        case up, down, left, right, pageUp, pageDown
        /// The end of an entry.
        case enter
        /// The character before is deleted.
        case backspace
        /// An entry is left.
        case escape
    }

    /// What a key wants of the dashboard; nil: nothing.
    public static func intent(of key: Key, in state: DashboardState) -> DashboardIntent? {
        if let entry = state.entry { return editing(key, entry) }
        switch key {
        case .character(let character): return command(character, state)
        case .up: return .move(-1)
        case .down: return .move(1)
        case .left: return .show(neighbour(of: state.tab, -1))
        case .right: return .show(neighbour(of: state.tab, 1))
        case .pageUp: return .move(-state.pageSize)
        case .pageDown: return .move(state.pageSize)
        case .escape: return state.showsHelp ? .toggleHelp : state.selected == nil ? .clearFilter : .select(nil)
        case .enter, .backspace: return nil
        }
    }

    private static func editing(_ key: Key, _ entry: String) -> DashboardIntent? {
        switch key {
        case .character(let character): .type(entry + String(character))
        case .backspace: .type(String(entry.dropLast()))
        case .enter: .applyFilter
        case .escape: .clearFilter
        case .up, .down, .left, .right, .pageUp, .pageDown: nil
        }
    }

    private static func command(_ key: Character, _ state: DashboardState) -> DashboardIntent? {
        if let digit = key.wholeNumberValue, DashboardTab.allCases.indices.contains(digit - 1) {
            return .show(DashboardTab.allCases[digit - 1])
        }
        switch key {
        case "\t": return .show(state.tab.following)
        case "r": return .range(state.range.following)
        case "m": return nextMetric(state)
        case "l": return nextList(state)
        case "c": return .chart(state.chart.following)
        case "s": return .sort(state.sort.following)
        case "/": return .editFilter
        case "a": return .toggleIdleRows
        case "p", " ": return .togglePause
        case "t": return .recover
        case "d": return .dismiss
        case "e": return .export(format: "csv")
        case "j": return .move(1)
        case "k": return .move(-1)
        case "?", "h": return .toggleHelp
        case "q", "Q": return .quit
        default: return nil
        }
    }

    private static func nextMetric(_ state: DashboardState) -> DashboardIntent? {
        let all = state.tab.metrics
        guard let place = all.firstIndex(where: { $0 == state.metric }) else { return all.first.map { .metric($0) } }
        return .metric(all[(place + 1) % all.count])
    }

    /// After the last comes the first, or the other rows of the page.
    private static func nextList(_ state: DashboardState) -> DashboardIntent? {
        let all = state.tab.lists
        guard !all.isEmpty else { return nil }
        guard let place = all.firstIndex(where: { $0 == state.list }) else { return .list(all[0]) }
        return .list(place + 1 < all.count ? all[place + 1] : state.tab.firstList)
    }

    private static func neighbour(of tab: DashboardTab, _ step: Int) -> DashboardTab {
        let all = DashboardTab.allCases
        guard let place = all.firstIndex(of: tab) else { return tab }
        return all[(place + step + all.count) % all.count]
    }
}

extension DashboardKeys {
    private static let short = [
        ("q", "quit"), ("?", "help"), ("r", "range"), ("m", "metric"), ("l", "list"), ("c", "chart"), ("s", "sort"),
        ("/", "filter"), ("p", "pause"), ("t", "retry"),
    ]

    /// The keys of a page in one line of less than 80 columns: those that do something there.
    static func line(of tab: DashboardTab) -> StyledLine {
        var line = StyledLine()
        let keys = short.filter { key, _ in
            switch key {
            case "r", "m": !tab.metrics.isEmpty
            // There is room for one of both.
            case "c": !tab.metrics.isEmpty && tab.lists.isEmpty
            case "l": !tab.lists.isEmpty
            default: true
            }
        }
        for (index, key) in keys.enumerated() {
            if index > 0 { line.append("  ") }
            line.append(key.0, .strong)
            line.append(" \(key.1)", .faint)
        }
        return line
    }

    private static let long = [
        ("1 to 7, Tab, ← →", "another page"), ("↑ ↓, j k, PgUp PgDn", "choose a row; the chart is of it"),
        ("r", "range: 1h, 6h, 24h, 7d, 30d"), ("m", "metric of the chart"),
        ("l", "what has moved; another list of services, talkers, dns"), ("c", "chart: line, area, bar"),
        ("s", "sort: importance, name, current, average, peak"), ("/", "filter rows by their names"),
        ("a", "show rows that were zero for the window, or hide them"),
        ("p, space", "pause: nothing is asked for, and nothing moves"),
        ("t", "retry; with a failure of the agent: what its line says"), ("d", "take a failure off the screen"),
        ("e", "write what the chart is of into a file, as CSV"), ("Esc", "back: no row, no filter, no help"),
        ("q, Ctrl-C", "quit"),
    ]

    /// The keys, one to a line.
    static var explained: [StyledLine] {
        long.map { key, meaning in
            let gap = String(repeating: " ", count: max(1, 22 - ColumnTable.width(key)))
            return StyledLine([StyledLine.Span("  \(key)", .strong), StyledLine.Span(gap + meaning)])
        }
    }
}
