internal import SondeDomain
internal import SondeEngine

/// One sink's place in the log, as the log knows it.
struct LogReader {
    let kind: ReaderKind
    let wants: SendContent
    /// Whether the configuration of this run names it.
    var isConfigured = true
    /// The next number that was not acknowledged.
    var next: UInt64
    /// The last number of the stretch under way.
    var cutEnd: UInt64?
    /// What the cursor file says of ``next``; what lies before it may go.
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

/// One segment, as the log knows it.
struct LogSegment {
    var summary: SegmentSummary
    let headerLength: Int64
    /// How long the file is, what cannot be read included.
    var fileBytes: Int64
    /// When the first of it was appended.
    let appended: MonotonicInstant
}
