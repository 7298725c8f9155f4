public import SondeDomain
internal import Synchronization

/// Decides when the log is made safe by the engine's loop because no sink does it.
///
/// A sink that cuts a batch makes the log safe anyway. So the loop is woken only when what was appended has stayed unsafe
/// for longer than a healthy sink takes, and in good times not at all. May be called from any thread.
public final class SyncSchedule: Sendable {
    /// How long appended points stay unsafe at the most, but for one interval of their source.
    public static let longestUnsafe = Nanoseconds.milliseconds(1_500)
    // Shorter than the above, longer than the second that a batch fills by default.
    private static let patience = Nanoseconds.milliseconds(1_200)

    private let wakeup: any Wakeup
    private let unsafeSince = Mutex<MonotonicInstant?>(nil)

    /// A schedule that wakes whoever calls `sync`.
    public init(wakeup: any Wakeup) {
        self.wakeup = wakeup
    }

    /// Points were appended; `wasSafe` tells whether everything before them was safe.
    func appended(wasSafe: Bool, at now: MonotonicInstant) {
        unsafeSince.withLock { since in
            let began = wasSafe ? now : since ?? now
            since = began
            let isDue = now.since(began) >= Self.patience
            wakeup.arm(at: isDue ? now : now.advanced(by: Self.longestUnsafe))
        }
    }
}
