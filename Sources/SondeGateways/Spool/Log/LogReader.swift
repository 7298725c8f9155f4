internal import SondeDomain
internal import SondeEngine
internal import Synchronization

/// What waits for one sink, readable while the log waits for the disk.
final class BacklogFigures: Sendable {
    private let figures = Mutex(Backlog())

    /// What waits, as of the last change of the log.
    var backlog: Backlog {
        get { figures.withLock { $0 } }
        set { figures.withLock { $0 = newValue } }
    }

    /// Notes that something was appended at an instant.
    func grow(by count: Int, _ bytes: Int64, at instant: MonotonicInstant) {
        figures.withLock { backlog in
            if backlog.count == 0 { backlog.oldest = instant }
            backlog.count &+= count
            backlog.bytes &+= bytes
        }
    }
}

/// One sink's position in the log.
struct LogReader {
    let kind: ReaderKind
    let wants: SendContent
    let figures: BacklogFigures
    /// Whether the configuration of this run names it.
    let isConfigured: Bool
    /// The next number that was not acknowledged.
    private(set) var next: UInt64
    /// The last number of the stretch under way.
    private(set) var cutEnd: UInt64?
    /// ``next`` as in the cursor file; what is before it may be removed.
    private(set) var safeNext: UInt64

    /// The position of a sink of this run; one of the same kind that it had before is kept.
    init(
        _ kind: ReaderKind,
        wants: SendContent,
        _ figures: BacklogFigures,
        resuming known: LogReader?,
        at end: UInt64
    ) {
        self.kind = kind
        self.wants = wants
        self.figures = figures
        isConfigured = true
        next = known?.next ?? end
        cutEnd = known?.cutEnd
        // A position that no cursor file of this run has yet does not become safe by reconfiguring the sink.
        safeNext = known.flatMap { $0.isConfigured ? $0.safeNext : nil } ?? next
    }

    /// The position that an earlier run left.
    init(leftAt next: UInt64, cutEnd: UInt64?) {
        kind = .durable
        wants = [.metrics, .snapshots]
        figures = BacklogFigures()
        isConfigured = false
        self.next = next
        self.cutEnd = cutEnd
        safeNext = next
    }

    /// The stretch under way.
    var stretch: Stretch? { cutEnd.map { Stretch(first: next, last: $0) } }

    /// How many numbers wait.
    var waiting: UInt64 { UInt64(clamping: figures.backlog.count) }

    /// Whether it still needs what is before a number.
    func isBefore(_ end: UInt64) -> Bool {
        (kind == .durable ? safeNext : next) < end
    }

    /// Whether a range holds a part of the stretch under way.
    func isOffering(_ range: SequenceRange) -> Bool {
        guard kind == .durable, let cutEnd else { return false }
        return range.end > next && range.first <= cutEnd
    }

    /// What it has not acknowledged of a range.
    func missing(of range: SequenceRange) -> SequenceRange {
        SequenceRange(first: next, end: .max).overlap(range)
    }

    /// Counts again what waits.
    func recount(_ contents: LogContents) { figures.backlog = contents.backlog(from: next) }

    /// What a durable sink loses that is removed.
    func removalLoss(_ sink: String, _ contents: LogContents) -> Loss? {
        guard kind == .durable, waiting > 0 else { return nil }
        let waiting = contents.segments.all.map(\.summary).filter { $0.end > next && $0.points > 0 }
        return Loss(
            .sinkRemoved, component: sink, from: waiting.map(\.oldest).min(),
            to: waiting.map(\.newest).max(), count: self.waiting)
    }

    /// Puts a stretch under way, or withdraws it.
    mutating func begin(through last: UInt64?) { cutEnd = last }

    /// Makes the stretch under way at most so many numbers long.
    mutating func shorten(to count: Int) {
        let (wanted, overflow) = next.addingReportingOverflow(UInt64(max(1, count)) - 1)
        if let end = cutEnd, !overflow { cutEnd = min(end, wanted) }
    }

    /// Ends the stretch under way before a number; there is none when nothing is left of it.
    mutating func shorten(before number: UInt64) {
        if let end = cutEnd { cutEnd = number > next ? min(end, number &- 1) : nil }
    }

    /// Moves it past a stretch.
    mutating func pass(_ stretch: Stretch) {
        next = stretch.last &+ 1
        cutEnd = nil
    }

    /// Notes that the cursor file has a position.
    mutating func cursorIsSafe(_ number: UInt64) { safeNext = number }
}
