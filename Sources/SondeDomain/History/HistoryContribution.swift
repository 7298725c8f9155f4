/// What a source's series contributes to history.
public struct HistoryContribution: Hashable, Sendable {
    /// How its readings are understood.
    public enum Part: Hashable, Sendable {
        /// A counter: what it grows by in a second.
        case rate
        /// A reading of the value itself.
        case value
        /// The largest value since the reading before.
        case peak
        /// A cumulative histogram of durations in seconds.
        case durations
    }

    /// Which of the series are kept when there is no room for all.
    public enum Rank: Int, Hashable, Sendable {
        /// It is always wanted.
        case standard = 0
        /// One of the further interfaces, which have a separate limit.
        case further = 1
    }

    /// The series; several contributions to one are added up.
    public var series: HistorySeries
    /// How its readings are understood.
    public var part: Part
    /// Whether it is always wanted.
    public var rank: Rank

    /// A contribution.
    public init(_ series: HistorySeries, _ part: Part, rank: Rank = .standard) {
        self.series = series
        self.part = part
        self.rank = rank
    }
}
