internal import SondeDomain
internal import Synchronization

/// Fills the windows of snapshots with what history has kept of the hour before the agent started.
///
/// Reads the lowest tier of each series once: at most as many as the history has room for. Meant for the thread of the history,
/// so that no other thread waits for a disk; what sources report meanwhile has priority. May be called from any thread.
public final class RestoreSnapshots: Sendable {
    private let store: any HistoryStore
    private let book: SnapshotBook
    private let sources: Set<String>
    private let clock: any Clock
    private let log: any EventLog
    private let began: Timestamp
    private let isDone = Mutex(false)

    /// A use case that fills `book` with what `store` has of `sources`, those that the agent has now.
    public init(
        _ store: any HistoryStore,
        into book: SnapshotBook,
        sources: some Sequence<String>,
        clock: any Clock,
        log: any EventLog
    ) {
        self.store = store
        self.book = book
        self.sources = Set(sources)
        self.clock = clock
        self.log = log
        began = clock.wallTime
    }

    /// Does it, unless it was done; a history that cannot be read is tried again at the next call.
    public func callAsFunction() {
        isDone.withLock { isDone in
            guard !isDone else { return }
            do throws(SondeError) {
                let count = try restore()
                isDone = true
                if count > 0 { log.log(.debug, "\(count) windows continue from the history", component: nil) }
            } catch {
                // The writer of the history reports the same, as a failure that lasts.
                log.log(.debug, "snapshots start empty: \(error.message)", component: nil)
            }
        }
    }

    private func restore() throws(SondeError) -> Int {
        let tier = HistoryTier.hour
        let range = HistoryRange(SnapshotBook.window, before: began)
        // Whole steps before the start: what this agent reads is not taken twice, whenever it is done.
        let steps = tier.index(from: range.from)..<max(tier.index(from: range.from), tier.index(from: range.to))
        let (wall, monotonic) = (clock.wallTime, clock.monotonicTime)
        var count = 0
        for entry in try store.overview().series where sources.contains(entry.series.source) {
            let kept = try store.steps(of: entry.series, in: tier, steps).steps
            let points = kept.map { step in
                let age = wall.nanoseconds.subtractingReportingOverflow(tier.end(of: step.index).nanoseconds)
                return (step.point, monotonic.advanced(by: Nanoseconds(age.overflow ? .min : 0 &- age.partialValue)))
            }
            guard !points.isEmpty else { continue }
            book.restore(points, of: entry.series)
            count += 1
        }
        return count
    }
}
