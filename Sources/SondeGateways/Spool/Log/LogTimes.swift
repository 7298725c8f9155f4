internal import SondeDomain
internal import SondeEngine

/// The time as the log counts it, and when the last few frames were appended.
struct LogTimes {
    private static let bound = 512

    private let clock: any Clock
    private var openedWall: Timestamp
    private var openedAt: MonotonicInstant
    private var marks: [(first: UInt64, at: MonotonicInstant)] = []

    init(_ clock: any Clock) {
        self.clock = clock
        openedWall = clock.wallTime
        openedAt = clock.monotonicTime
    }

    var now: MonotonicInstant { clock.monotonicTime }

    /// The wall time at the start plus the time since: a step of the clock must not age what waits.
    var steadyTime: Timestamp {
        let elapsed = clock.monotonicTime.since(openedAt).value
        let (time, overflow) = openedWall.nanoseconds.addingReportingOverflow(elapsed)
        return overflow ? openedWall : Timestamp(nanoseconds: time)
    }

    /// Counts from the wall time of now on: until now it was wrong.
    mutating func begin() {
        openedWall = clock.wallTime
        openedAt = clock.monotonicTime
    }

    /// The monotonic instant of a wall time, as far as the clocks allow.
    func instant(of time: Timestamp) -> MonotonicInstant {
        let (age, overflow) = clock.wallTime.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        return clock.monotonicTime.advanced(by: Nanoseconds(overflow ? 0 : -max(0, age)))
    }

    func wallTime(of instant: MonotonicInstant) -> Timestamp { ClockReading(clock).wallTime(of: instant) }

    /// Notes when the frame that begins with a number was appended.
    mutating func mark(_ first: UInt64, at instant: MonotonicInstant) {
        if marks.count >= Self.bound { marks.removeFirst(Self.bound / 2) }
        marks.append((first, instant))
    }

    /// When the frame of a number was appended; nil when that is too long ago.
    func instant(of number: UInt64) -> MonotonicInstant? {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].first <= number { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : marks[low - 1].at
    }
}
