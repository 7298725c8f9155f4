public import SondeDomain

/// What can be read of history at one instant: what is kept and what waits to be.
public struct HistoryReading {
    private let store: any HistoryStore
    private let pending: HistoryPending
    private let overview: HistoryOverview

    /// What `store` keeps and what waits for it.
    init(_ store: any HistoryStore, _ pending: HistoryPending) throws(SondeError) {
        self.store = store
        self.pending = pending
        overview = try store.overview()
    }

    /// Every series of which something is known, in order.
    public var series: [HistorySeries] {
        pending.all.union(overview.series.map(\.series)).sorted()
    }

    /// The steps of a series, those that are not over yet as far as they are known.
    public func steps(
        of series: HistorySeries,
        in tier: HistoryTier,
        _ range: Range<Int64>
    ) throws(SondeError) -> HistorySteps {
        var steps = try store.steps(of: series, in: tier, range)
        let waiting = pending.steps(of: series)
        guard let lower = tier.lower else {
            for step in waiting[range] { steps.merge(step.point, at: step.index) }
            return steps
        }
        // What the store has not made yet: the step that was open when it was last written to, and all that waits.
        var open = Set(waiting.steps.map { $0.index / (tier.step.value / HistoryTier.hour.step.value) })
        if let last = overview.lastCommit { open.insert(tier.index(from: last)) }
        for index in open where range.contains(index) {
            let inner = tier.lowerSteps(of: index)
            guard let point = try self.steps(of: series, in: lower, inner).merged(inner) else { continue }
            steps.set(point, at: index)
        }
        return steps
    }
}
