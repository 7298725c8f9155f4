public import SondeDomain
internal import SondeFormats

extension DashboardState {
    /// Applies what is wanted at an instant, and returns what has to be done outside.
    public mutating func reduce(_ intent: DashboardIntent, at now: MonotonicInstant) -> [DashboardEffect] {
        switch intent {
        case .open: openAll(at: now)
        case .tick: break
        case .quit: return [.end]
        case .answered(let id, let answer):
            let effects = take(id, answer, at: now)
            return effects + ask(at: now)
        case .failed(let id, let error): fail(id, error, at: now)
        case .exportFailed(let error): export.fail(DashboardFailure(.export, error), next: nil)
        case .export(let format): return begin(format, at: now) + ask(at: now)
        case .recover: return recover(at: now) + ask(at: now)
        case .retry(let instance): return order(instance, at: now) + ask(at: now)
        case .dismiss: dismiss()
        default: choose(intent, at: now)
        }
        return ask(at: now)
    }

    private mutating func openAll(at now: MonotonicInstant) {
        snapshot.schedule(now)
        status.schedule(now)
        history.schedule(now)
        courses.schedule(now)
        changes.schedule(now)
    }

    // MARK: What a person chooses

    private mutating func choose(_ intent: DashboardIntent, at now: MonotonicInstant) {
        let (before, rangeBefore) = (subject, range)
        let rested = now.advanced(by: timing.debounce)
        switch intent {
        case .show(let tab): show(tab, at: now)
        case .range(let range): self.range = range
        case .metric(let metric): choose(metric)
        case .list(let name): choose(list: name, at: now)
        case .chart(let chart): self.chart = chart
        case .sort(let sort): (self.sort, firstRow, isScrolled) = (sort, 0, false)
        case .editFilter: entry = filter
        case .type(let text): type(text, until: rested)
        case .applyFilter: apply(entry ?? filter)
        case .clearFilter: apply("")
        case .toggleIdleRows: showsIdleRows.toggle()
        case .move(let count): move(count)
        case .select(let id): (selected, isScrolled) = (id, false)
        case .scroll(let row): (firstRow, isScrolled) = (max(0, row), true)
        case .fit(let rows): pageSize = max(1, min(rows, 1_000))
        case .togglePause: isPaused.toggle()
        case .toggleHelp: showsHelp.toggle()
        default: return
        }
        keepSelectionInSight()
        if range != rangeBefore { changes.reset(next: rested) }
        guard subject != before else { return }
        history.reset(next: rested)
        guard subject?.metric != before?.metric || subject?.range != before?.range else { return }
        courses.reset(next: rested)
    }

    private mutating func show(_ tab: DashboardTab, at now: MonotonicInstant) {
        guard tab != self.tab else { return }
        self.tab = tab
        (selected, firstRow, showsConfiguration, showsHelp) = (nil, 0, false, false)
        // It was meant for the names of the other page.
        apply("")
        switch tab {
        case .talkers: metric = busierDirection
        case .overview: metric = tab.metrics.first
        default: if metric.map({ !tab.metrics.contains($0) }) ?? true { metric = tab.metrics.first }
        }
        choose(list: tab.firstList, at: now)
        if order.loading == .success { order.reset(next: nil) }
        if tab.showsStatus { status.schedule(now) }
    }

    /// The direction in which the link carries more, now or on average: a flood that has just ended is still looked for.
    private var busierDirection: HistoryMetric {
        let total = snapshot.value?.views.lazy.compactMap { view -> SnapshotView.Interface? in
            guard case .bandwidth(_, let total) = view.content else { return nil }
            return total
        }.first
        func load(_ values: SnapshotView.Values?) -> Double { max(values?.current ?? 0, values?.average ?? 0) }
        return load(total?.transmit) > load(total?.receive) ? .bandwidthTransmit : .bandwidthReceive
    }

    private mutating func choose(_ metric: HistoryMetric) {
        guard tab.metrics.contains(metric) else { return }
        self.metric = metric
        // A row that is about another metric would hold the chart.
        if tab == .connections || tab == .overview || tab == .plugins { selected = nil }
    }

    private mutating func choose(list name: String?, at now: MonotonicInstant) {
        guard name.map({ tab.lists.contains($0) }) ?? (tab.firstList == nil) else { return }
        (list, selected, firstRow, isScrolled) = (name, nil, 0, false)
        wholeList.reset(next: now)
    }

    private mutating func type(_ text: String, until rested: MonotonicInstant) {
        guard entry != nil else { return }
        entry = String(text.prefix(Self.filterBound))
        filterDue = rested
    }

    private mutating func apply(_ text: String) {
        filter = text
        (entry, filterDue, firstRow, isScrolled) = (nil, nil, 0, false)
    }

    private mutating func move(_ count: Int) {
        let rows = table.rows
        guard !rows.isEmpty else { return }
        isScrolled = false
        let place = selected.flatMap { id in rows.firstIndex { $0.id == id } } ?? (count > 0 ? -1 : rows.count)
        let (next, overflow) = place.addingReportingOverflow(count)
        let row = rows[overflow ? (count < 0 ? 0 : rows.count - 1) : max(0, min(next, rows.count - 1))]
        selected = row.id
        if let metric = row.subject?.metric, tab.metrics.contains(metric), tab != .interfaces { self.metric = metric }
    }

    /// Turns to the page of rows that the selected one is on.
    mutating func keepSelectionInSight() {
        guard selected != nil || firstRow > 0 else { return }
        let rows = table.rows
        if isScrolled {
            firstRow = min(firstRow, max(0, rows.count - 1))
        } else if let place = selected.flatMap({ id in rows.firstIndex { $0.id == id } }) {
            firstRow = place / pageSize * pageSize
        } else if firstRow >= rows.count {
            firstRow = 0
        }
    }

    // MARK: Failures

    private mutating func dismiss() {
        showsConfiguration = false
        switch failure?.part {
        case .snapshot: snapshot.dismiss()
        case .status: status.dismiss()
        case .history: history.dismiss()
        case .courses: courses.dismiss()
        case .list: wholeList.dismiss()
        case .changes: changes.dismiss()
        case .export: export.dismiss()
        case .order: order.dismiss()
        case nil: break
        }
    }

    private mutating func recover(at now: MonotonicInstant) -> [DashboardEffect] {
        if let instance = failingInstance { return order(instance, at: now) }
        guard let failure else { return [] }
        switch failure.recovery {
        case .retry: retry(failure.part, at: now)
        case .resetRange:
            range = .hour
            history.reset(next: now)
            courses.reset(next: now)
            changes.reset(next: now)
        case .retryExport: return begin(export.value?.format ?? "csv", at: now)
        case .reconfigure: showsConfiguration.toggle()
        case .dismiss: dismiss()
        }
        return []
    }

    /// Has a source or sink try again.
    private mutating func order(_ instance: String, at now: MonotonicInstant) -> [DashboardEffect] {
        order.schedule(nil)
        retried = instance
        order.begin(nextRequest(), at: now)
        return [.ask(DashboardRequest(id: lastRequest, question: .retry(instance)))]
    }

    private mutating func retry(_ part: DashboardFailure.Part, at now: MonotonicInstant) {
        switch part {
        case .snapshot: openAll(at: now)
        case .status: status.schedule(now)
        case .history: history.schedule(now)
        case .courses: courses.schedule(now)
        case .list: wholeList.schedule(now)
        case .changes: changes.schedule(now)
        case .export, .order: break
        }
    }

    mutating func nextRequest() -> Int {
        lastRequest &+= 1
        return lastRequest
    }
}
