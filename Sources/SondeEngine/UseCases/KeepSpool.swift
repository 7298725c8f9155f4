public import SondeDomain
internal import Synchronization

/// Syncs the log and reports its losses and the failures of its storage.
///
/// Takes as long as the disk does: the agent calls it from a separate thread. A failure that lasts is reported once,
/// then at intervals with a count, and its end. May be called from any thread.
public final class KeepSpool: Sendable {
    // A disk that fails is not retried more often, except for new appends.
    private static let shortestPause = Nanoseconds.seconds(30)

    private let spool: any SpoolStore
    private let ledger: LossLedger
    private let clock: any Clock
    private let log: any EventLog
    private let episodes = Mutex(FailureEpisodes())

    /// A use case for one log.
    public init(spool: any SpoolStore, ledger: LossLedger, clock: any Clock, log: any EventLog) {
        self.spool = spool
        self.ledger = ledger
        self.clock = clock
        self.log = log
    }

    /// What fails now, or failed shortly before.
    ///
    /// A lack of room is over as soon as there is room.
    public var failures: [InstanceStatus.Failure] {
        let lasting = episodes.withLock { $0.lasting }
        return spool.isFull ? lasting : lasting.filter { $0.error.code != .spoolFull }
    }

    /// Syncs everything appended so far, then reports; returns when it is to be called again by itself.
    public func run() -> MonotonicInstant {
        spool.sync()
        report()
        return nextRun
    }

    /// Records losses in the ledger and failures in the agent's log.
    public func report() {
        for loss in spool.takeLosses() { ledger.record(loss) }
        let failures = spool.takeFailures()
        // While something is not synced the failure lasts, though the disk was not tried since.
        let isOver = failures.isEmpty && spool.isSettled
        let now = clock.monotonicTime
        let reports = episodes.withLock { $0.take(failures, at: now) + (isOver ? $0.settle(at: now) : []) }
        for report in reports { log.log(.error, report, component: nil) }
    }

    private var nextRun: MonotonicInstant {
        guard let look = episodes.withLock({ $0.nextLook }) else { return .distantFuture }
        return max(look, clock.monotonicTime.advanced(by: Self.shortestPause))
    }
}
