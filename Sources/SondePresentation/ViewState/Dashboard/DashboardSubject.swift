public import SondeDomain

/// What a chart is of.
public struct DashboardSubject: Hashable, Sendable {
    /// The metric, which has its unit.
    public var metric: HistoryMetric
    /// The interface, state or sink; nil: all together.
    public var member: String?
    /// The source that it is read from; nil: any.
    public var source: String?
    /// How far back it reaches.
    public var range: HistoryTier

    /// A metric over a range.
    public init(_ metric: HistoryMetric, member: String? = nil, source: String? = nil, _ range: HistoryTier) {
        (self.metric, self.member, self.source, self.range) = (metric, member, source, range)
    }
}
