public import SondeDomain

/// A query of the history.
public struct HistoryQuery: Hashable, Sendable {
    /// The metrics; empty: all.
    public var metrics: [HistoryMetric]
    /// The one member, like an interface; nil: all.
    public var member: String?
    /// The one source; nil: all.
    public var source: String?
    /// The range of wall time.
    public var range: HistoryRange
    /// The shortest step of a point; nil: the shortest that is kept.
    public var resolution: Nanoseconds?
    /// The time of the query: the same for all pages of an answer, so that all have points of one step.
    public var asked: Timestamp

    /// A query of `range` at the time `asked`.
    public init(
        metrics: [HistoryMetric] = [],
        member: String? = nil,
        source: String? = nil,
        range: HistoryRange,
        resolution: Nanoseconds? = nil,
        asked: Timestamp
    ) {
        self.metrics = metrics
        self.member = member
        self.source = source
        self.range = range
        self.resolution = resolution
        self.asked = asked
    }

    /// Whether a series matches.
    public func wants(_ series: HistorySeries) -> Bool {
        (metrics.isEmpty || metrics.contains(series.metric)) && (member == nil || member == series.member)
            && (source == nil || source == series.source)
    }

    /// How it is answered; nil: there is nothing in the range.
    public var plan: HistoryPlan? { HistoryPlan(range, resolution: resolution, at: asked) }
}
