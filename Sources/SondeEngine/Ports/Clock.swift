public import SondeDomain

/// Tells the time.
///
/// Implementations may be called from any thread.
public protocol Clock: Sendable {
    /// The wall clock; only stamps what was observed.
    var wallTime: Timestamp { get }
    /// CLOCK_MONOTONIC; schedules, waits and rates.
    var monotonicTime: MonotonicInstant { get }
}
