public import SondeDomain
public import SondeEngine
internal import Synchronization

/// A timer that only remembers what it was set to.
public final class RecordingWakeup: Wakeup {
    private let kept = Mutex<[MonotonicInstant]>([])

    /// A timer that was not set.
    public init() {}

    /// Every instant it was set to, oldest first.
    public var instants: [MonotonicInstant] { kept.withLock { $0 } }

    /// Remembers an instant.
    public func arm(at instant: MonotonicInstant) {
        kept.withLock { $0.append(instant) }
    }
}
