internal import SondeDomain

/// When an interface that could not be opened is tried again: after 1 s, then twice as long each time, up to 30 s.
struct CaptureBackoff {
    private static let longest = Nanoseconds.seconds(30)
    private var delay = Nanoseconds.seconds(1)
    /// When it is time.
    private(set) var next: MonotonicInstant?

    mutating func fail(at now: MonotonicInstant) {
        next = now.advanced(by: delay)
        delay = min(Self.longest, Nanoseconds(delay.value &* 2))
    }

    mutating func succeed() {
        self = CaptureBackoff()
    }

    func isDue(at now: MonotonicInstant) -> Bool {
        next.map { $0 <= now } ?? true
    }
}
