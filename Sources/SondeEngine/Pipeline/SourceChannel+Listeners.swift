public import SondeDomain

extension SourceChannel {
    /// The consumers of what the source reads; nil: none.
    public struct Listeners: Sendable {
        /// The source's line in the status.
        public var status: StatusEntry?
        /// Keeps the readings for 30 days.
        public var history: RecordHistory?
        /// The last hour of them.
        public var book: SnapshotBook?
        /// The descriptions of metrics.
        public var meanings: MetricMeanings?
        /// Passes on each point while a reader watches.
        public var updates: SeriesUpdates?
        /// Makes the snapshots that sinks are sent, nil where none are; without it they are of only this source.
        public var snapshot: (@Sendable () -> Snapshot?)?
        /// Reports the agent's health when the source has run; nil: it is not reported.
        public var health: ReportHealth?

        /// The consumers.
        public init(
            status: StatusEntry? = nil,
            history: RecordHistory? = nil,
            book: SnapshotBook? = nil,
            meanings: MetricMeanings? = nil,
            updates: SeriesUpdates? = nil,
            health: ReportHealth? = nil,
            snapshot: (@Sendable () -> Snapshot?)? = nil
        ) {
            self.status = status
            self.history = history
            self.book = book
            self.meanings = meanings
            self.updates = updates
            self.health = health
            self.snapshot = snapshot
        }
    }
}
