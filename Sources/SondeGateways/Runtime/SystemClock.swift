internal import CLinux
internal import Glibc
public import SondeDomain
public import SondeEngine

/// The machine's clocks.
public struct SystemClock: Clock {
    /// The clocks.
    public init() {}

    /// CLOCK_REALTIME.
    public var wallTime: Timestamp { Timestamp(nanoseconds: read(CLOCK_REALTIME)) }

    /// CLOCK_MONOTONIC.
    public var monotonicTime: MonotonicInstant { MonotonicInstant(nanoseconds: read(CLOCK_MONOTONIC)) }

    /// CLOCK_BOOTTIME.
    public var bootTime: MonotonicInstant { MonotonicInstant(nanoseconds: read(CLOCK_BOOTTIME)) }

    /// What the kernel says of its clock (adjtimex(2)); nil where it does not answer, as in most containers.
    public var isSynchronized: Bool? {
        let answer = sonde_clock_is_synchronized()
        return answer < 0 ? nil : answer == 1
    }

    // clock_gettime(2) with these clocks and a valid pointer does not fail.
    private func read(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    }
}
