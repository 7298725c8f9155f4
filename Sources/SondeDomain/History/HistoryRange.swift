/// A span of wall time that a request asks for.
public struct HistoryRange: Hashable, Sendable {
    /// Where it begins.
    public var from: Timestamp
    /// Where it ends; not in it.
    public var to: Timestamp

    /// A stretch.
    public init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }

    /// The time of that length before an instant.
    public init(_ length: Nanoseconds, before end: Timestamp) {
        let (from, overflow) = end.nanoseconds.subtractingReportingOverflow(max(0, length.value))
        self.init(from: Timestamp(nanoseconds: overflow ? .min : from), to: end)
    }

    /// Whether it ends before it begins.
    public var isReversed: Bool { to < from }
}

/// How a range is answered: from which tier, and how many of its steps make one point.
public struct HistoryPlan: Hashable, Sendable {
    /// No answer has more points than this, per series.
    public static let pointBound: Int64 = 1_000

    /// The tier.
    public var tier: HistoryTier
    /// How many of its steps make one point.
    public var group: Int64
    /// The tier's steps, whole groups.
    public var steps: Range<Int64>

    /// How long a point is.
    public var step: Nanoseconds { tier.step * group }

    /// The plan for a range as it is asked for at `now`; nil: there is nothing in it, since it is empty, in the future, or
    /// longer ago than anything is kept.
    ///
    /// The finest tier that reaches back to the beginning answers; `resolution` makes its points longer, never shorter. A
    /// step that is only partly in the range is in the answer.
    public init?(_ range: HistoryRange, resolution: Nanoseconds?, at now: Timestamp) {
        let to = min(range.to, now)
        let oldest = HistoryRange(HistoryTier.month.window, before: now).from
        let from = max(range.from, oldest, Timestamp(nanoseconds: 0))
        guard from < to else { return nil }
        let reaching = HistoryTier.allCases.first { HistoryRange($0.window, before: now).from <= from } ?? .month
        let wanted = max(resolution ?? .zero, .zero)
        tier = HistoryTier.allCases.last { $0 >= reaching && $0.step <= max(wanted, reaching.step) } ?? reaching
        let first = tier.index(from: from)
        let last = tier.index(upTo: to) ?? first
        let count = max(1, last &- first &+ 1)
        // Longer rather than shorter, where the resolution is no whole number of steps.
        let asked = wanted.value / tier.step.value + (wanted.value % tier.step.value == 0 ? 0 : 1)
        // A group that is cut at both ends is one point more.
        let least = count / (Self.pointBound - 1) + 1
        group = max(1, asked, count <= Self.pointBound ? 1 : least)
        let begin = first / group &* group
        steps = begin..<max(begin, last / group &* group &+ group)
    }
}
