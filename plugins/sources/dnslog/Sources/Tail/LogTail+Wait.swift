internal import Glibc
internal import SondeDomain

extension LogTail {
    /// Why a wait ended.
    enum Wake {
        /// The cancel descriptor became readable.
        case cancelled
        /// It is time to read, or to commit.
        case ready
    }

    /// Waits until something may have come, `due` is there, or `cancel` becomes readable.
    ///
    /// Not longer than until files must be looked at anyway, and not shorter than the pause between two looks unless
    /// there is more to read already.
    func wait(_ cancel: Int32, until due: MonotonicInstant, at now: MonotonicInstant) -> Wake {
        guard progress == .drained else { return Self.poll([cancel], .zero, cancel) }
        let total = max(due.since(now), .zero)
        let pause = min(pause, total)
        if Self.poll([cancel], pause, cancel) == .cancelled { return .cancelled }
        let rest = min(total + Nanoseconds(-pause.value), scanPeriod)
        let pipes = paths.compactMap { $0.pipe?.state == .open ? $0.pipe?.descriptor : nil }
        return Self.poll([cancel, watch.descriptor] + pipes, rest, cancel)
    }

    private static func poll(_ descriptors: [Int32], _ span: Nanoseconds, _ cancel: Int32) -> Wake {
        // poll(2) leaves out negative descriptors.
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = (span.value &+ 999_999) / 1_000_000
        _ = Glibc.poll(&entries, nfds_t(entries.count), Int32(clamping: max(0, milliseconds)))
        return entries.first.map { $0.fd == cancel && $0.revents != 0 } ?? false ? .cancelled : .ready
    }
}
