public import SondeDomain

/// What can be read of history at one instant: what is kept and what waits to be written.
public struct HistoryReading {
    private let store: any HistoryStore
    private let pending: HistoryPending
    private let overview: HistoryOverview

    /// A reading of what `store` keeps and what waits to be written to it.
    init(_ store: any HistoryStore, _ pending: HistoryPending) throws(SondeError) {
        self.store = store
        self.pending = pending
        overview = try store.overview()
    }

    /// Every series that has data, in order.
    public var series: [HistorySeries] {
        pending.all.union(overview.series.map(\.series)).sorted()
    }

    /// The steps of a series, those that are not over yet as far as they are known.
    public func steps(
        of series: HistorySeries,
        in tier: HistoryTier,
        _ range: Range<Int64>
    ) throws(SondeError) -> HistorySteps {
        var steps = try kept(series, tier, range)
        let waiting = pending.steps(of: series).grouped(by: tier.lowestSteps)
        for step in waiting[range] { steps.merge(step.point, at: step.index) }
        return steps
    }

    /// What the store keeps, with the step that its last commit has left open.
    private func kept(
        _ series: HistorySeries,
        _ tier: HistoryTier,
        _ range: Range<Int64>
    ) throws(SondeError) -> HistorySteps {
        var steps = try store.steps(of: series, in: tier, range)
        guard let lower = tier.lower, let last = overview.lastCommit else { return steps }
        let open = tier.index(from: last)
        guard range.contains(open), steps[open] == nil else { return steps }
        let inner = tier.lowerSteps(of: open)
        if let point = try kept(series, lower, inner).merged(inner) { steps.set(point, at: open) }
        return steps
    }
}
