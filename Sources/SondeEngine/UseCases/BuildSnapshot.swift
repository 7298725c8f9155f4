public import SondeDomain

/// Makes the snapshot of an instant: what sources report, what is broken and what was lost.
public struct BuildSnapshot: Sendable {
    private let book: SnapshotBook
    private let failures: ListFailures
    private let ledger: LossLedger
    private let host: String?
    private let clock: any Clock

    /// A use case over the contents of `book`.
    public init(book: SnapshotBook, failures: ListFailures, ledger: LossLedger, host: String?, clock: any Clock) {
        self.book = book
        self.failures = failures
        self.ledger = ledger
        self.host = host
        self.clock = clock
    }

    /// The snapshot of now.
    public func callAsFunction() -> Snapshot {
        var snapshot = Snapshot(time: clock.wallTime, host: host, window: SnapshotBook.window)
        book.fill(&snapshot, at: clock.monotonicTime)
        snapshot.failures = failures()
        snapshot.losses = ledger.all.map { entry in
            Loss(reason: entry.reason, component: entry.component, from: entry.from, to: entry.to, count: entry.count)
        }
        noteLostLines(&snapshot)
        return snapshot
    }

    /// More on the wire than in the log, and lines of the log were lost in the window: that is why.
    private func noteLostLines(_ snapshot: inout Snapshot) {
        guard snapshot.dns?.coverage?.cause == .logLevel, let log = snapshot.dns?.log?.source else { return }
        let begin = HistoryRange(snapshot.window, before: snapshot.time).from
        guard snapshot.losses.contains(where: { $0.component == log && $0.to ?? snapshot.time >= begin }) else {
            return
        }
        snapshot.dns?.coverage?.cause = .lostLines
    }
}
