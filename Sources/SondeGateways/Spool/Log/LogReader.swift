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
    /// The published ``waiting`` and ``weight``.
    let figures: BacklogFigures
    /// Whether the configuration of this run names it.
    var isConfigured = true
    /// The next number that was not acknowledged.
    var next: UInt64
    /// The last number of the stretch under way.
    var cutEnd: UInt64?
    /// ``next`` as in the cursor file; what is before it may be removed.
    var safeNext: UInt64
    /// How many numbers wait.
    var waiting: UInt64 = 0
    /// About what they take in memory.
    var weight: Int64 = 0

    var stretch: Stretch? {
        cutEnd.map { Stretch(first: next, last: $0) }
    }

    /// Whether it still needs a range.
    func isBefore(_ end: UInt64) -> Bool {
        (kind == .durable ? safeNext : next) < end
    }

    /// Whether a range holds a part of the stretch under way.
    func isOffering(_ range: SequenceRange) -> Bool {
        guard kind == .durable, let cutEnd else { return false }
        return range.end > next && range.first <= cutEnd
    }
}

/// One segment in the log.
struct LogSegment {
    var summary: SegmentSummary
    /// What its points have in common.
    let resource: Resource
    let headerLength: Int64
    /// How long the file is, what cannot be read included.
    var fileBytes: Int64
    /// When the first of it was appended.
    let appended: MonotonicInstant
}
