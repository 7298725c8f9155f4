public import SondeDomain
internal import Synchronization

/// Decides when the log is synced and tidied where no sink syncs it.
///
/// The log's owner is woken when what was appended was not synced for a little over a second, or is much, and in any case
/// once a minute while points arrive, so that what is too old is dropped. May be called from any thread.
public final class SyncSchedule: Sendable {
    /// How long appended points stay unsynced at most, without the time that a sync takes: longer than the wait of a sink's
    /// batch by default, so that a sink that delivers has synced them before.
    public static let longestUnsafe = Nanoseconds.milliseconds(1_250)
    /// So many unsynced bytes are synced at once.
    public static let mostUnsafeBytes: Int64 = 256 << 10
    /// The interval between checks for what is too old.
    public static let longestUntidy = Nanoseconds.seconds(60)

    private struct State {
        /// When the timer fires, or last fired.
        var armed: MonotonicInstant?
        /// Since when something is not synced.
        var unsafeSince: MonotonicInstant?
        /// When the log has to be tidied.
        var tidyDue: MonotonicInstant?
        /// How much was not synced when the timer was last set for its amount.
        var bytesAtWake: Int64 = 0
    }

    private let wakeup: any Wakeup
    private let state = Mutex(State())

    /// A schedule that wakes the caller of `sync`.
    public init(wakeup: any Wakeup) {
        self.wakeup = wakeup
    }

    /// Points were appended; `wasSettled`: everything before them was synced and reported; `unsafeBytes`: how much is
    /// not synced now.
    func appended(wasSettled: Bool, unsafeBytes: Int64, at now: MonotonicInstant) {
        state.withLock { state in
            noteFired(&state, at: now)
            if wasSettled {
                state.unsafeSince = nil
                state.bytesAtWake = 0
            }
            guard let safeDue = due(&state, unsafeBytes, at: now) else { return }
            let due = min(safeDue, state.tidyDue ?? .distantFuture)
            // A timer that is set is moved only where that changes when it fires.
            guard state.armed != due else { return }
            state.armed = due
            wakeup.arm(at: due)
        }
    }

    /// A sink has synced what it offers: where nothing else waits to be synced, nobody has to be woken for it.
    ///
    /// `isSettled` is asked in here: a commit that is appended after it sets the timer again.
    func sinkHasSynced(isSettled: @autoclosure () -> Bool) {
        state.withLock { state in
            guard state.unsafeSince != nil, let tidyDue = state.tidyDue, isSettled() else { return }
            state.unsafeSince = nil
            state.bytesAtWake = 0
            guard state.armed != tidyDue else { return }
            state.armed = tidyDue
            wakeup.arm(at: tidyDue)
        }
    }

    /// The log was tidied.
    private func noteFired(_ state: inout State, at now: MonotonicInstant) {
        guard let armed = state.armed else {
            state.tidyDue = now.advanced(by: Self.longestUntidy)
            return
        }
        if armed <= now { state.tidyDue = max(state.tidyDue ?? now, armed.advanced(by: Self.longestUntidy)) }
    }

    /// When the log has to be synced; nil: the timer has fired for it.
    private func due(_ state: inout State, _ unsafeBytes: Int64, at now: MonotonicInstant) -> MonotonicInstant? {
        state.bytesAtWake = min(state.bytesAtWake, unsafeBytes)
        guard unsafeBytes &- state.bytesAtWake < Self.mostUnsafeBytes else {
            state.bytesAtWake = unsafeBytes
            return now
        }
        let since = state.unsafeSince ?? now
        state.unsafeSince = since
        let due = since.advanced(by: Self.longestUnsafe)
        guard due <= now, let armed = state.armed, armed <= now else { return due }
        // It has fired, and setting it again would cancel it; or the sync has failed, and is retried once a second.
        return armed.advanced(by: Self.longestUnsafe) <= now ? now : nil
    }
}
