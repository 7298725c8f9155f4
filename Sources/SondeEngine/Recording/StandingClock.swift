public import SondeDomain
internal import Synchronization

/// A clock that shows the time at which it was set last.
///
/// From any thread.
public final class StandingClock: Clock {
    private let state: Mutex<(wall: Timestamp, monotonic: MonotonicInstant)>

    /// A clock that shows this time.
    public init(_ time: Timestamp, _ instant: MonotonicInstant) {
        state = Mutex((time, instant))
    }

    /// The wall clock.
    public var wallTime: Timestamp { state.withLock { $0.wall } }
    /// The monotonic clock.
    public var monotonicTime: MonotonicInstant { state.withLock { $0.monotonic } }

    /// Shows another time.
    public func set(_ time: Timestamp, _ instant: MonotonicInstant) {
        state.withLock { $0 = (time, instant) }
    }

    /// Moves both clocks on to an instant that is not past.
    public func advance(to instant: MonotonicInstant) {
        state.withLock { state in
            guard instant > state.monotonic else { return }
            state.wall = state.wall.advanced(by: instant.since(state.monotonic))
            state.monotonic = instant
        }
    }
}
