internal import SondeDomain
internal import SondeFormats

/// What the members of a dashboard's document are.
struct DashboardContent {
    private let state: DashboardState
    private let table: DashboardTable

    init(_ state: DashboardState) {
        self.state = state
        table = state.table
    }

    /// What the chart draws; nil: the page has none.
    var plot: DashboardPlot? { state.subject.map { DashboardPlot(state, $0) } }

    /// Writes the value of one member.
    func write(_ member: DashboardMember, to json: inout JSONWriter) {
        switch member {
        case .agent: writeAgent(to: &json)
        case .paused: json.value(state.isPaused)
        case .loading: json.value(state.loading.word)
        case .tabs: writeTabs(to: &json)
        case .tab: json.value(state.tab.rawValue)
        case .ranges: json.value(HistoryTier.allCases.map(\.name))
        case .range: json.value(state.range.name)
        case .metrics: writeMetrics(to: &json)
        case .metric: json.value(state.metric?.rawValue)
        case .charts: json.value(ChartKind.allCases.map(\.rawValue))
        case .chart: json.value(state.chart.rawValue)
        case .sorts: json.value(DashboardSort.allCases.map(\.rawValue))
        case .sort: json.value(state.sort.rawValue)
        case .filter: json.value(state.entry ?? state.filter)
        case .showsIdleRows: json.value(state.showsIdleRows)
        case .lists: writeLists(to: &json)
        case .list: json.value(state.list)
        case .failure: json.value(state.failure.map(PageFailure.init))
        case .failures: json.value(PageTrouble.all(in: state))
        case .drop: json.value(worstDrop.map(PageDrop.init))
        case .order: writeOrder(to: &json)
        case .export: writeExport(to: &json)
        case .series: json.value(plot)
        case .span: json.value(state.subject.map { DashboardSpan(state, $0) })
        case .table: writeTable(to: &json)
        case .time: json.value(time.map { $0.pageSeconds })
        }
    }

    // MARK: The agent

    private var time: Timestamp? { state.snapshot.value?.time.flatMap(TimestampText.parse) }

    private func writeAgent(to json: inout JSONWriter) {
        let page = state.snapshot.value
        let word =
            if state.isAgentGone { "gone" } else if let page { page.failures.isEmpty ? "running" : "failing" } else {
                "unknown"
            }
        json.object { json in
            json.member("state", word)
            json.member("text", HarmlessText.line(agentText))
            json.member("host", page?.host)
        }
    }

    private var agentText: String {
        if state.isAgentGone, let failure = state.snapshot.failure { return "\(failure.message); it is asked again" }
        guard let page = state.snapshot.value else { return "connecting to the agent" }
        var text = "sonde"
        if let version = state.status.value?.version { text += " \(version)" }
        if let host = page.host { text += " on \(host)" }
        if let started = state.status.value?.started { text += ", up since \(StatusText.instant(started))" }
        return text
    }

    // MARK: What can be chosen

    private func writeTabs(to json: inout JSONWriter) {
        let fails = !(state.snapshot.value?.failures.isEmpty ?? true) || (state.status.value?.isFailing ?? false)
        json.array { json in
            for tab in DashboardTab.allCases {
                json.object { json in
                    json.member("id", tab.rawValue)
                    json.member("title", tab.title)
                    json.member("isFailing", fails && (tab == .overview || tab == .plugins))
                }
            }
        }
    }

    private func writeMetrics(to json: inout JSONWriter) {
        json.array { json in
            for metric in state.tab.metrics {
                json.object { json in
                    json.member("id", metric.rawValue)
                    json.member("title", metric.title)
                    json.member("unit", metric.unit)
                }
            }
        }
    }

    private func writeLists(to json: inout JSONWriter) {
        json.array { json in
            for name in state.tab.lists {
                let title = state.lists?.named(name).first?.title
                json.object { json in
                    json.member("id", name)
                    json.member("title", title ?? name.split(separator: ".").last.map(String.init) ?? name)
                }
            }
        }
    }

    // MARK: What was asked for

    private func writeOrder(to json: inout JSONWriter) {
        guard state.order.loading == .success, let instance = state.order.value else { return json.null() }
        json.value("\(HarmlessText.line(instance)) tries again now")
    }

    private func writeExport(to json: inout JSONWriter) {
        guard let file = state.export.value else { return json.null() }
        json.object { json in
            json.member("name", file.fileName)
            json.member("done", file.done)
            json.member("count", file.count)
            json.member("isComplete", file.isComplete)
        }
    }

    // MARK: What is lost

    private var worstDrop: SnapshotPage.Drop? {
        guard state.tab == .overview || state.tab == .dns else { return nil }
        return state.snapshot.value?.drops.max { ($0.packets ?? 0) < ($1.packets ?? 0) }
    }

    // MARK: The rows

    private func writeTable(to json: inout JSONWriter) {
        let shown = table.rows.dropFirst(state.firstRow).prefix(state.pageSize)
        json.object { json in
            json.member("title", table.title)
            json.member("note", table.rows.isEmpty ? absence : nil)
            json.member("columns", table.columns.map { $0.lowercased() })
            json.member("align", table.columns.indices.map { $0 < table.wordCount ? "left" : "right" })
            json.member("rows") { json in
                json.array { json in
                    for row in shown { write(row, to: &json) }
                }
            }
            json.member("total", table.rows.count)
            json.member("first", state.firstRow)
            json.member("hidden", table.idleCount)
            json.member("of", table.rowName)
        }
    }

    private func write(_ row: DashboardTable.Row, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", row.id)
            json.member("cells", row.texts)
            json.member("failing", row.isFailing)
            json.member("idle", row.isIdle)
            json.member("selected", row.id == state.selected)
            json.member("values", [row.values.current, row.values.average, row.values.peak])
            if let course = row.course { json.member("course", course) }
        }
    }

    private var absence: String {
        if table.allRows.isEmpty { return table.absence }
        return state.filter.isEmpty
            ? "no \(table.rowName) but idle ones"
            : "no \(table.rowName) with '\(HarmlessText.line(state.filter))'"
    }
}

extension LoadingState {
    /// Its name in documents.
    fileprivate var word: String { self == .loadingMore ? "loading_more" : "\(self)" }
}

extension Timestamp {
    /// Seconds since 1970, as pages in browsers reckon.
    var pageSeconds: Double { Double(nanoseconds) / 1e9 }
}

/// The drop that is shown.
private struct PageDrop: JSONWritable {
    let drop: SnapshotPage.Drop

    init(_ drop: SnapshotPage.Drop) {
        self.drop = drop
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("counter", drop.counter)
            json.member("packets", QuantityText.count(drop.packets))
            json.member("reason", drop.reason)
            json.member("meaning", drop.meaning)
            json.member("advice", drop.advice)
        }
    }
}
