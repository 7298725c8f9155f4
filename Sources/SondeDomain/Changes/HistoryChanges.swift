/// What has moved within a range of time, the most unusual first.
public struct HistoryChanges: Hashable, Sendable {
    /// How many days are looked back.
    public enum Reference: String, Hashable, Sendable, CaseIterable {
        /// The day before.
        case day = "1d"
        /// The seven days before.
        case week = "7d"

        /// How many days they are.
        public var days: Int64 { self == .day ? 1 : 7 }
    }

    /// The range; whole minutes.
    public var range: HistoryRange
    /// How many days were looked back.
    public var reference: Reference
    /// How long the steps of the range are that were looked at: a minute, or two where the range is long.
    public var step: Nanoseconds
    /// On how many of the days something is kept of any series.
    public var daysKept: Int
    /// How many series were compared with what is usual.
    public var compared: Int
    /// How many series have too little history to say what is usual.
    public var unknown: Int
    /// The sources that have reported nothing at the end of the range, but did before.
    public var silentSources: [String]
    /// What has moved, ranked.
    public var changes: [HistoryChange]

    /// The result of a comparison; changes are ranked.
    public init(
        range: HistoryRange,
        reference: Reference,
        step: Nanoseconds,
        daysKept: Int,
        compared: Int,
        unknown: Int,
        silentSources: [String],
        changes: [HistoryChange]
    ) {
        self.range = range
        self.reference = reference
        self.step = step
        self.daysKept = daysKept
        self.compared = compared
        self.unknown = unknown
        self.silentSources = silentSources
        self.changes = changes.sorted(by: HistoryChange.ranks)
    }
}
