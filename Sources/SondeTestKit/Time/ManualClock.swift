public import SondeDomain
public import SondeEngine
internal import Synchronization

/// A clock that only moves when a test moves it.
public final class ManualClock: Clock {
    private struct Reading {
        var wall: Timestamp
        var monotonic: MonotonicInstant
        var isSynchronized: Bool?
    }

    private let reading: Mutex<Reading>

    /// A clock that shows these times.
    public init(
        wall: Timestamp = Timestamp(seconds: 1_767_225_600),
        monotonic: MonotonicInstant = MonotonicInstant(nanoseconds: 1_000_000_000)
    ) {
        reading = Mutex(Reading(wall: wall, monotonic: monotonic))
    }

    /// The wall time it shows.
    public var wallTime: Timestamp { reading.withLock { $0.wall } }

    /// The monotonic time it shows.
    public var monotonicTime: MonotonicInstant { reading.withLock { $0.monotonic } }

    /// What the kernel says of the wall clock; nil, as at first: nothing.
    public var isSynchronized: Bool? {
        get { reading.withLock { $0.isSynchronized } }
        set { reading.withLock { $0.isSynchronized = newValue } }
    }

    /// Moves both clocks forward.
    public func advance(by span: Nanoseconds) {
        reading.withLock {
            $0.wall.nanoseconds &+= span.value
            $0.monotonic = $0.monotonic.advanced(by: span)
        }
    }

    /// Steps only the wall clock, as an administrator or NTP would.
    public func stepWall(by span: Nanoseconds) {
        reading.withLock { $0.wall.nanoseconds &+= span.value }
    }
}
