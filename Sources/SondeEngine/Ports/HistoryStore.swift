public import SondeDomain

/// Keeps the values of series over the last 30 days, in steps of ``HistoryTier``.
///
/// May be called from any thread; calls may take as long as a disk does, and wait for each other.
public protocol HistoryStore: Sendable {
    /// Adds steps of the lowest tier to all tiers in one commit: all or nothing.
    ///
    /// The step of a higher tier that contains `time` may be left to a later commit outside it, see ``HistoryRollup``.
    func append(_ additions: [HistoryAddition], at time: Timestamp) throws(SondeError) -> HistoryReceipt

    /// The steps of a series that are kept in a tier; none for a series that is not kept.
    func steps(
        of series: HistorySeries,
        in tier: HistoryTier,
        _ range: Range<Int64>
    ) throws(SondeError) -> HistorySteps

    /// What is kept.
    func overview() throws(SondeError) -> HistoryOverview

    /// What was found damaged and was recovered from, since the last call.
    func takeFailures() -> [SondeError]

    /// Whether an unusable file that was set aside is still there: a person removes it after a look.
    var hasSetAside: Bool { get }
}

/// What is added to one series.
public struct HistoryAddition: Hashable, Sendable {
    /// The series.
    public var series: HistorySeries
    /// Whether it is always wanted.
    public var rank: HistoryContribution.Rank
    /// Steps of the lowest tier, later than what is kept of the same steps.
    public var steps: HistorySteps

    /// An addition.
    public init(_ series: HistorySeries, rank: HistoryContribution.Rank, _ steps: HistorySteps) {
        self.series = series
        self.rank = rank
        self.steps = steps
    }
}

/// The result of a commit.
public struct HistoryReceipt: Hashable, Sendable {
    /// Every series that has room now.
    public var kept: Set<HistorySeries>
    /// The series of the commit that had no room.
    public var refused: [HistorySeries]

    /// A receipt.
    public init(kept: Set<HistorySeries>, refused: [HistorySeries]) {
        self.kept = kept
        self.refused = refused
    }
}

/// What a store keeps.
public struct HistoryOverview: Hashable, Sendable {
    /// The series, in order.
    public var series: [HistorySlots.Entry]
    /// The time of the last commit; nil: there was none.
    public var lastCommit: Timestamp?

    /// What is kept.
    public init(series: [HistorySlots.Entry], lastCommit: Timestamp?) {
        self.series = series
        self.lastCommit = lastCommit
    }
}
