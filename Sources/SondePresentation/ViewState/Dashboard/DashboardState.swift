public import SondeDomain
public import SondeFormats

/// Everything that a dashboard shows, on a terminal or on a page: what a person has chosen, what is known, and how far the
/// rest is.
///
/// Changed by ``reduce(_:at:)`` alone. It asks nothing and has no clock of its own.
public struct DashboardState: Hashable, Sendable {
    /// The longest text of a filter.
    static let filterBound = 64

    /// How often and how soon it asks.
    public let timing: DashboardTiming

    /// The page.
    public internal(set) var tab = DashboardTab.overview
    /// The range of the charts.
    public internal(set) var range = HistoryTier.hour
    /// The metric of the chart; nil: the page has none.
    public internal(set) var metric: HistoryMetric? = DashboardTab.overview.metrics.first
    /// The list of the heaviest that is shown; nil: none.
    public internal(set) var list: String?
    /// How the chart is drawn.
    public internal(set) var chart = ChartKind.line
    /// The order of the rows.
    public internal(set) var sort = DashboardSort.importance
    /// What rows have to have in their names; empty: nothing.
    public internal(set) var filter = ""
    /// The text in the entry of the filter; nil: it is closed.
    public internal(set) var entry: String?
    /// The row that was chosen, by its id.
    public internal(set) var selected: String?
    /// The number of the first row that is shown.
    public internal(set) var firstRow = 0
    /// How many rows there is room for.
    public internal(set) var pageSize = 10
    /// Whether rows that were zero for the whole window are shown.
    public internal(set) var showsIdleRows = false
    /// Whether nothing is asked for.
    public internal(set) var isPaused = false
    /// Whether the keys are explained.
    public internal(set) var showsHelp = false
    /// Whether the line of YAML that mends the failure is shown.
    public internal(set) var showsConfiguration = false

    /// The network now.
    public internal(set) var snapshot = DashboardPart<SnapshotPage>()
    /// The lists of the snapshot; nil: the agent is of a version that has none.
    public internal(set) var lists: DashboardLists?
    /// What has moved from what is usual, as far as the agent keeps a history.
    public internal(set) var changes = DashboardPart<ChangesState>()
    /// All rows of the list that is shown, where the snapshot has only the first.
    public internal(set) var wholeList = DashboardPart<DashboardList>()
    /// The agent now.
    public internal(set) var status = DashboardPart<StatusState>()
    /// The chart.
    public internal(set) var history = DashboardPart<DashboardChart>()
    /// The courses of the rows.
    public internal(set) var courses = DashboardPart<DashboardCourses>()
    /// The file that is exported.
    public internal(set) var export = DashboardPart<DashboardExport>()
    /// The source or sink of which a retry was asked last.
    public internal(set) var order = DashboardPart<String>()

    /// Whether rows are shown where the selected one is not.
    var isScrolled = false
    var filterDue: MonotonicInstant?
    var lastRequest = 0
    var retried: String?

    /// A dashboard that nothing is known of.
    public init(timing: DashboardTiming = DashboardTiming()) {
        self.timing = timing
    }

    /// How far what the page shows is: what it waits for, else what failed.
    public var loading: LoadingState {
        let parts =
            [snapshot.loading] + (tab.showsStatus ? [status.loading] : [])
            + (metric != nil ? [history.loading] : [])
        for state in [LoadingState.loading, .loadingMore, .refreshing, .failed, .idle] where parts.contains(state) {
            return state
        }
        return .success
    }

    /// Whether everything that the page shows was answered, or has failed.
    public var isSettled: Bool {
        let isStill = { (state: LoadingState) in state == .success || state == .failed }
        return isStill(snapshot.loading)
            && (isAgentGone
                || (!tab.showsStatus || isStill(status.loading)) && (metric == nil || isStill(history.loading)))
    }

    /// The failure that is shown: the agent's absence first, else what was asked for last.
    public var failure: DashboardFailure? {
        [
            snapshot.failure, export.failure, order.failure, history.failure, courses.failure, wholeList.failure,
            status.failure,
        ].lazy.compactMap(\.self).first
    }

    /// Whether no agent answers.
    public var isAgentGone: Bool { snapshot.failure?.isAbsence ?? false }

    /// When ``DashboardIntent/tick`` is due; nil: not until something else happens.
    public var wake: MonotonicInstant? {
        let orders = [export.wake(after: timing.patience), order.wake(after: timing.patience), filterDue]
        return (isPaused ? orders : orders + liveWakes).compactMap(\.self).min()
    }

    private var liveWakes: [MonotonicInstant?] {
        let patience = timing.patience
        guard !isAgentGone else { return [snapshot.wake(after: patience)] }
        return [
            snapshot.wake(after: patience), tab.showsStatus ? status.wake(after: patience) : nil,
            metric != nil ? history.wake(after: patience) : nil,
            tab.hasCourses ? courses.wake(after: patience) : nil,
            isListCut ? wholeList.wake(after: patience) : nil,
            tab.showsChanges ? changes.wake(after: patience) : nil,
        ]
    }

    /// Whether an intent would have a source or sink try again: not everybody who may look may do so.
    public func wouldOrder(_ intent: DashboardIntent) -> Bool {
        switch intent {
        case .retry: true
        case .recover: failingInstance != nil
        default: false
        }
    }

    /// What tries again at ``DashboardIntent/recover``; nil: that is about the dashboard itself.
    var failingInstance: String? {
        guard !isAgentGone else { return nil }
        switch tab {
        case .plugins: return table.failingInstance(selected)
        // What fails stands on top, unless the dashboard has a failure of its own to recover from.
        case .overview: return failure == nil ? status.value?.instances.first(where: \.isFailing)?.id : nil
        default: return nil
        }
    }

    /// Whether the list that is shown has more rows than the snapshot.
    var isListCut: Bool {
        guard let known = list.flatMap({ lists?.single($0) }) else { return false }
        return known.count > known.rows.count
    }

    /// What the chart is of; nil: there is none.
    public var subject: DashboardSubject? {
        guard let metric else { return nil }
        let row = selected.flatMap { id in table.allRows.first { $0.id == id } }
        if let row, let chosen = row.subject, chosen.metric == metric {
            return subject(chosen.metric, chosen.member)
        }
        return subject(metric, metric.wholeMember)
    }

    /// A metric over the chosen range, from the source that the snapshot is of.
    func subject(_ metric: HistoryMetric, _ member: String?) -> DashboardSubject {
        DashboardSubject(metric, member: member, source: source(of: metric), range)
    }

    private func source(of metric: HistoryMetric) -> String? {
        let domain = metric.domain
        // Of DNS several sources may be shown in one table.
        guard domain == "bandwidth" || domain == "connections" else { return nil }
        let view = snapshot.value?.views.first { $0.domain == domain }
        return view.flatMap { $0.source.isEmpty ? nil : $0.source }
    }
}
