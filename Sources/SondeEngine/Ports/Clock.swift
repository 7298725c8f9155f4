public import SondeDomain

/// Reads the clocks.
///
/// Implementations may be called from any thread.
public protocol Clock: Sendable {
    /// The wall clock; only for timestamps of observations.
    var wallTime: Timestamp { get }
    /// CLOCK_MONOTONIC; for schedules, waits and rates.
    var monotonicTime: MonotonicInstant { get }
}
