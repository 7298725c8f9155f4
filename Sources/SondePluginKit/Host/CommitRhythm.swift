public import SondeDomain

/// When the next samples are due: once per interval, without drifting.
public struct CommitRhythm {
    /// When to offer samples next.
    public private(set) var next: MonotonicInstant

    private static let pause = Nanoseconds.milliseconds(100)
    private let interval: Nanoseconds
    private var due: MonotonicInstant

    /// The first samples are due one interval after `now`.
    public init(interval: Nanoseconds, from now: MonotonicInstant) {
        self.interval = max(interval, .milliseconds(20))
        due = now.advanced(by: self.interval)
        next = due
    }

    /// Whether samples should be offered now.
    public func isDue(at now: MonotonicInstant) -> Bool { next <= now }

    /// The samples were taken: intervals that have passed meanwhile are left out.
    public mutating func advance(at now: MonotonicInstant) {
        repeat { due = due.advanced(by: interval) } while due <= now
        next = due
    }

    /// The host was busy; true when a whole interval has passed so.
    public mutating func postpone(at now: MonotonicInstant) -> Bool {
        next = now.advanced(by: Self.pause)
        guard now >= due.advanced(by: interval) else { return false }
        advance(at: now)
        return true
    }
}
