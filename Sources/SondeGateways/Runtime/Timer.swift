internal import CLinux
internal import Glibc
public import SondeDomain
public import SondeEngine

/// A timer on CLOCK_MONOTONIC that is a descriptor: any thread may set it, one thread waits on it.
public final class Timer: Wakeup {
    /// The timer's descriptor, readable once the instant is reached.
    public let descriptor: OwnedDescriptor

    /// A timer that is not set.
    ///
    /// Throws when the system has no descriptor left.
    public init() throws(SondeError) {
        descriptor = try OwnedDescriptor(
            timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)),
            of: "timerfd_create"
        )
    }

    /// Sets the timer; an instant that has passed fires at once, one in the distant future never does.
    public func arm(at instant: MonotonicInstant) {
        guard instant != .distantFuture else { return disarm() }
        var setting = itimerspec()
        // Zero would disarm the timer: the first nanosecond of the clock has passed anyway.
        let nanoseconds = max(1, instant.nanoseconds)
        setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        timerfd_settime(descriptor.raw, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    /// Unsets the timer.
    public func disarm() {
        var setting = itimerspec()
        timerfd_settime(descriptor.raw, 0, &setting, nil)
    }

    /// Reads the expiration, so that the descriptor is no longer readable.
    ///
    /// False when nothing had fired, or the timer was set again since.
    @discardableResult
    public func acknowledge() -> Bool {
        var expirations: UInt64 = 0
        return read(descriptor.raw, &expirations, MemoryLayout<UInt64>.size) > 0
    }

    /// Waits until the timer fires.
    public func wait() {
        wait(milliseconds: -1)
    }

    /// Waits until the timer fires, and not longer than until an instant on `clock`, which leaves the timer as it is
    /// set: one system call instead of the three of setting, waiting and reading.
    ///
    /// It returns up to a millisecond after the instant, never before.
    func wait(until instant: MonotonicInstant, _ clock: any Clock) {
        guard instant != .distantFuture else { return wait() }
        let span = max(0, instant.since(clock.monotonicTime).value)
        // Rounded up, so that it does not return early.
        wait(milliseconds: Int32(clamping: span / 1_000_000 + 1))
    }

    private func wait(milliseconds: Int32) {
        var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        var count = poll(&entry, 1, milliseconds)
        while count < 0, errno == EINTR { count = poll(&entry, 1, milliseconds) }
        if count > 0 { acknowledge() }
    }
}
