public import SondeDomain
internal import Synchronization

/// Decides when the log is made safe and tidied because no sink makes it safe.
///
/// Whoever owns the log is woken when what was appended has stayed unsafe for a second, or is much, and in any case once
/// a minute while points come in, so that what is too old is let go. May be called from any thread.
public final class SyncSchedule: Sendable {
    /// How long appended points stay unsafe at the most, but for the time that a sync takes.
    public static let longestUnsafe = Nanoseconds.seconds(1)
    /// So many unsafe bytes are not left to wait.
    public static let mostUnsafeBytes: Int64 = 256 << 10
    /// How long nobody looks for what is too old.
    public static let longestUntidy = Nanoseconds.seconds(60)

    private struct State {
        /// When the timer fires, or has fired last.
        var armed: MonotonicInstant?
        /// Since when something is unsafe.
        var unsafeSince: MonotonicInstant?
        /// When the log has to be tidied.
        var tidyDue: MonotonicInstant?
        /// How much was unsafe when the timer was last set for its amount.
        var bytesAtWake: Int64 = 0
    }

    private let wakeup: any Wakeup
    private let state = Mutex(State())

    /// A schedule that wakes whoever calls `sync`.
    public init(wakeup: any Wakeup) {
        self.wakeup = wakeup
    }

    /// Points were appended; `wasSettled` tells whether everything before them was safe and told, `unsafeBytes` how much is
    /// not safe now.
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

    /// What has fired has tidied the log.
    private func noteFired(_ state: inout State, at now: MonotonicInstant) {
        guard let armed = state.armed else {
            state.tidyDue = now.advanced(by: Self.longestUntidy)
            return
        }
        if armed <= now { state.tidyDue = max(state.tidyDue ?? now, armed.advanced(by: Self.longestUntidy)) }
    }

    /// When the log has to be made safe; nil: the timer has fired for it.
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
        // It is on its way, and setting it again would take it back; or the sync has failed, and is tried once a second.
        return armed.advanced(by: Self.longestUnsafe) <= now ? now : nil
    }
}
