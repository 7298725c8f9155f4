public import SondeDomain
internal import Synchronization

/// Wakes the thread of a plugin instance at an instant.
///
/// Implementations may be called from any thread.
public protocol Wakeup: Sendable {
    /// Wakes the thread at `instant`, or at once when that has passed. The last call counts.
    func arm(at instant: MonotonicInstant)
}

/// Decides when a sink's thread reads the log, so that a commit wakes no sink needlessly.
///
/// While the sink is idle the first commit sets its timer to the batch's wait; the commit that fills a batch sets it to
/// now; while the sink delivers or backs off, commits do not change it.
public final class DeliveryGate: Sendable {
    private enum Phase {
        /// Nothing waits.
        case idle
        /// A batch fills until this instant.
        case filling(MonotonicInstant)
        /// The thread delivers, or waits for another reason.
        case busy
    }

    /// The sink's `id`.
    public let sink: String
    /// What the sink is sent.
    public let wants: SendContent
    private let wait: Nanoseconds
    private let maxCount: Int
    private let maxBytes: Int64
    private let wakeup: any Wakeup
    private let phase = Mutex(Phase.busy)

    /// A gate for a sink whose batches are cut at these limits.
    public init(
        sink: String,
        wants: SendContent,
        wait: Nanoseconds,
        maxCount: Int,
        maxBytes: Int64,
        wakeup: any Wakeup
    ) {
        self.sink = sink
        self.wants = wants
        self.wait = wait
        self.maxCount = maxCount
        self.maxBytes = maxBytes
        self.wakeup = wakeup
    }

    /// Notes that the log grew.
    ///
    /// From any thread. `backlog` is called only when it is needed: it walks the log.
    func dataArrived(at now: MonotonicInstant, backlog: () -> Backlog) {
        phase.withLock { phase in
            switch phase {
            case .busy: return
            case .idle:
                let backlog = backlog()
                guard backlog.count > 0 else { return }
                let due = dueTime(of: backlog, at: now)
                phase = .filling(due)
                wakeup.arm(at: due)
            case .filling(let due):
                guard due > now, isFull(backlog()) else { return }
                phase = .filling(now)
                wakeup.arm(at: now)
            }
        }
    }

    /// Whether the batch that waits should be sent now; if not, when.
    ///
    /// Only for the thread itself; leaves the gate busy.
    func readiness(_ backlog: Backlog, at now: MonotonicInstant) -> MonotonicInstant {
        phase.withLock { $0 = .busy }
        return dueTime(of: backlog, at: now)
    }

    /// The thread has nothing to do until data arrives.
    func becomeIdle() {
        phase.withLock { $0 = .idle }
    }

    /// The thread has nothing to do until a batch is full or this instant is reached; sets its timer.
    func fill(until instant: MonotonicInstant) {
        phase.withLock { phase in
            phase = .filling(instant)
            wakeup.arm(at: instant)
        }
    }

    /// Whether what waits fills a batch.
    func isFull(_ backlog: Backlog) -> Bool {
        backlog.count >= maxCount || backlog.bytes >= maxBytes
    }

    private func dueTime(of backlog: Backlog, at now: MonotonicInstant) -> MonotonicInstant {
        guard !isFull(backlog), let oldest = backlog.oldest else { return now }
        return oldest.advanced(by: wait)
    }
}
