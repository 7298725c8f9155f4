internal import Glibc
internal import SondeDomain

/// A look at a descriptor.
enum PollDescriptor {
    /// Whether a read would not block now: bytes are there, or the other end is gone.
    static func isReadable(_ descriptor: Int32) -> Bool {
        guard descriptor >= 0 else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}

extension MonotonicInstant {
    /// CLOCK_MONOTONIC, which the deadlines of calls are on.
    static var now: MonotonicInstant {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return MonotonicInstant(nanoseconds: 0).advanced(
            by: .seconds(Int64(now.tv_sec)) + Nanoseconds(Int64(now.tv_nsec)))
    }
}
