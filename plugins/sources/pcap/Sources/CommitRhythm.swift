internal import SondeDomain

/// When the next samples are due: once per interval, without drifting.
struct CommitRhythm {
    /// When to offer samples next.
    private(set) var next: MonotonicInstant

    private static let pause = Nanoseconds.milliseconds(100)
    private let interval: Nanoseconds
    private var due: MonotonicInstant

    init(interval: Nanoseconds, from now: MonotonicInstant) {
        self.interval = max(interval, .milliseconds(20))
        due = now.advanced(by: self.interval)
        next = due
    }

    func isDue(at now: MonotonicInstant) -> Bool { next <= now }

    /// The samples were taken: intervals that have passed meanwhile are left out.
    mutating func advance(at now: MonotonicInstant) {
        repeat { due = due.advanced(by: interval) } while due <= now
        next = due
    }

    /// The host was busy; true when a whole interval has passed so.
    mutating func postpone(at now: MonotonicInstant) -> Bool {
        next = now.advanced(by: Self.pause)
        guard now >= due.advanced(by: interval) else { return false }
        advance(at: now)
        return true
    }
}
