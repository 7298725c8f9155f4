public import SondeDomain

/// Reads the clocks.
///
/// Implementations may be called from any thread.
public protocol Clock: Sendable {
    /// The wall clock; only for timestamps of observations.
    var wallTime: Timestamp { get }
    /// CLOCK_MONOTONIC; for schedules, waits and rates.
    var monotonicTime: MonotonicInstant { get }
    /// CLOCK_BOOTTIME: nanoseconds since the machine started, suspended or not; only to see how the wall clock was set.
    var bootTime: MonotonicInstant { get }
    /// Whether a time daemon keeps the wall clock; nil: not known.
    var isSynchronized: Bool? { get }
}

/// A machine that is never suspended, and of whose time daemon nothing is known.
extension Clock {
    /// The monotonic time.
    public var bootTime: MonotonicInstant { monotonicTime }

    /// Nil.
    public var isSynchronized: Bool? { nil }
}
