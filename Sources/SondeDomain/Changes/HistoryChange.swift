/// A series that has moved from its own history.
public struct HistoryChange: Hashable, Sendable {
    /// Which way it moved.
    public enum Direction: String, Hashable, Sendable {
        /// Above what is usual.
        case higher
        /// Below what is usual.
        case lower
        /// It was not there before.
        case appeared
        /// It is not there any more.
        case vanished
    }

    /// What it is compared with.
    public enum Basis: String, Hashable, Sendable {
        /// The same time of the days before.
        case daysBefore = "days_before"
        /// The time before the range: there are no earlier days.
        case timeBefore = "time_before"
    }

    /// What was usual, in the unit of the metric.
    public struct Usual: Hashable, Sendable {
        /// The median.
        public var median: Double
        /// The lowest average that is still usual; never negative.
        public var low: Double
        /// The highest average that is still usual.
        public var high: Double

        /// What is usual.
        public init(median: Double, low: Double, high: Double) {
            self.median = median
            self.low = low
            self.high = high
        }
    }

    /// The series.
    public var series: HistorySeries
    /// Which way it moved.
    public var direction: Direction
    /// What it is compared with.
    public var basis: Basis
    /// What was usual; nil: it was not there.
    public var usual: Usual?
    /// The median of its minutes while it was unusual; nil: it is not there.
    public var value: Double?
    /// When the first minute of the change begins.
    public var begin: Timestamp
    /// Whether the change may have begun before the range, since it is there from its first minute on.
    public var mayBeEarlier: Bool
    /// When the last minute of the change ends; nil: it lasts.
    public var end: Timestamp?
    /// How far it moved in its own spreads, weighed by how much of the range it lasted; larger is worse.
    public var score: Double

    /// A change.
    public init(
        _ series: HistorySeries,
        _ direction: Direction,
        basis: Basis,
        usual: Usual?,
        value: Double?,
        begin: Timestamp,
        mayBeEarlier: Bool,
        end: Timestamp?,
        score: Double
    ) {
        self.series = series
        self.direction = direction
        self.basis = basis
        self.usual = usual
        self.value = value
        self.begin = begin
        self.mayBeEarlier = mayBeEarlier
        self.end = end
        self.score = score
    }

    /// Whether it comes first in a ranking.
    public static func ranks(_ left: HistoryChange, before right: HistoryChange) -> Bool {
        left.score == right.score ? left.series < right.series : left.score > right.score
    }
}
