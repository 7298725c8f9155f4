internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Compares what was captured of what one interface received with the kernel's count of the same stretches of time.
struct ReceivedComparison {
    /// The two counts of all stretches that were compared.
    struct Totals: Equatable {
        var captured = ReceivedCounts()
        var counted = ReceivedCounts()
    }

    /// Both clocks at a moment.
    struct Moment {
        var wall: Timestamp
        var monotonic: MonotonicInstant
    }

    private struct Mark {
        var kernel: ReceivedCounts
        var moment: Moment
        /// What was captured before it, once that is certain.
        var captured: ReceivedCounts?
    }

    /// Packets come out of the capture within this time.
    private static let settling = Nanoseconds.milliseconds(500)
    /// A wall clock that was set by more than this makes the times of packets unusable.
    private static let clockTolerance: Int64 = 20_000_000

    /// The device.
    let index: Int32
    private var earlier: Mark?
    private var latest: Mark?

    init(_ index: Int32) {
        self.index = index
    }

    /// Takes the kernel's counts of a moment, when the marked ones have settled since the last; adds to `totals` what
    /// is between the two marks before.
    ///
    /// Without the kernel's counts the stretch is compared no further.
    mutating func take(
        _ kernel: ReceivedCounts?,
        at now: Moment,
        _ marked: inout MarkedCounts,
        into totals: inout Totals
    ) {
        guard let kernel else { return begin(nil, at: now, &marked) }
        guard var latest else { return begin(kernel, at: now, &marked) }
        guard !Self.isStepped(from: latest.moment, to: now), !kernel.hasFallen(since: latest.kernel) else {
            return begin(kernel, at: now, &marked)
        }
        guard now.monotonic.since(latest.moment.monotonic) >= Self.settling else { return }
        latest.captured = marked.settled
        if let earlier, let before = earlier.captured {
            totals.captured = totals.captured &+ (marked.settled &- before)
            totals.counted = totals.counted &+ (latest.kernel &- earlier.kernel)
        }
        earlier = latest
        self.latest = Mark(kernel: kernel, moment: now)
        marked.setMark(now.wall.nanoseconds)
    }

    private mutating func begin(_ kernel: ReceivedCounts?, at now: Moment, _ marked: inout MarkedCounts) {
        earlier = nil
        latest = kernel.map { Mark(kernel: $0, moment: now) }
        marked.setMark(now.wall.nanoseconds)
    }

    private static func isStepped(from: Moment, to: Moment) -> Bool {
        let wall = to.wall.nanoseconds.subtractingReportingOverflow(from.wall.nanoseconds)
        let passed = to.monotonic.since(from.monotonic).value
        let step = wall.partialValue.subtractingReportingOverflow(passed)
        // NTP slews by half a thousandth at most (adjtimex(2)).
        let tolerance = clockTolerance &+ max(0, passed) / 1_000
        return wall.overflow || step.overflow || step.partialValue.magnitude > UInt64(tolerance)
    }
}
