/// Time by the lines of one file, on a clock that several files share and that only runs forwards.
///
/// Clocks are set, zones change, and a time without a year begins again at New Year: a step back moves nothing, and a step
/// forward between two lines counts for no more than `longestStep`, so that no query is given up for it. Lines that are a
/// little out of order pass no time twice. A file that is read behind others catches up before it moves the clock.
struct LogClock {
    private var last: Int64?
    private var now: Int64 = 0
    private let longestStep: Int64

    /// A clock that moves by no more than `longestStep` milliseconds from line to line.
    init(longestStep: Int64) {
        self.longestStep = longestStep
    }

    /// A line was written at `time`, in milliseconds; moves `shared`.
    @inline(__always)
    mutating func advance(to time: Int64, _ shared: inout Int64) {
        guard time != last else { return }
        move(to: time, &shared)
    }

    @inline(never)
    private mutating func move(to time: Int64, _ shared: inout Int64) {
        guard let last else {
            now = shared
            self.last = time
            return
        }
        let (step, overflow) = time.subtractingReportingOverflow(last)
        // A little before the line before: threads write out of order. Were it the new measure, time would pass twice.
        if step < 0, step >= -longestStep, !overflow { return }
        self.last = time
        guard step > 0, !overflow else { return }
        now = now &+ min(step, longestStep)
        shared = max(shared, now)
    }
}
