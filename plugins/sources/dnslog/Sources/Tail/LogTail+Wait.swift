internal import SondeDomain

extension LogTail {
    /// Waits until something may have come, `due` is there, or `cancel` becomes readable.
    ///
    /// Not longer than until files must be looked at anyway, and not shorter than the pause between two looks unless
    /// there is more to read already.
    func wait(_ cancel: Int32, until due: MonotonicInstant, at now: MonotonicInstant) -> Poll.Wake {
        guard progress == .drained else { return Poll.wait(cancel, [], .zero) }
        let total = max(due.since(now), .zero)
        let pause = min(pause, total)
        if Poll.wait(cancel, [], pause) == .cancelled { return .cancelled }
        let rest = min(total + Nanoseconds(-pause.value), scanPeriod)
        let pipes = paths.compactMap { $0.pipe?.state == .open ? $0.pipe?.descriptor : nil }
        return Poll.wait(cancel, [watch.descriptor] + pipes, rest)
    }
}
