internal import SondeDomain
internal import SondeEngine

/// The numbers of the log: those in segments on disk, those after them that memory holds, and when they were appended.
struct LogContents {
    var segments: SegmentStore
    var tail: MemoryTail
    var times: LogTimes
    /// The next number to assign.
    private(set) var nextSequence: UInt64

    init(_ segments: SegmentStore, _ tail: MemoryTail, _ times: LogTimes, nextSequence: UInt64) {
        self.segments = segments
        self.tail = tail
        self.times = times
        self.nextSequence = nextSequence
    }

    /// The next number to be written to the disk.
    var writeSequence: UInt64 { tail.first ?? nextSequence }

    /// Every number below survives a power cut.
    var safeEnd: UInt64 { segments.safeEnd ?? writeSequence }

    /// Whether all numbers up to one survive a power cut.
    ///
    /// What memory holds cannot be synced, and does not block what the disk has.
    func isSafe(through last: UInt64?) -> Bool {
        !segments.directoryIsDirty && safeEnd > min(last ?? .max, writeSequence &- 1)
    }

    /// Whether what was appended survives a power cut, as far as configured.
    func isSafe(_ synchronization: DiskSpoolSettings.Synchronization) -> Bool {
        switch synchronization {
        case .none: true
        case .interval: !segments.directoryIsDirty && safeEnd == nextSequence
        case .always: tail.isEmpty
        }
    }

    /// What is to be synced for a number, or for all; nil: nothing.
    mutating func beginSync(through last: UInt64?) -> SyncPlan? {
        last != nil && isSafe(through: last) ? nil : segments.beginSync()
    }

    /// Assigns the next numbers to what was appended.
    mutating func number(_ group: AppendGroup) {
        times.mark(nextSequence, at: group.instant)
        nextSequence &+= UInt64(group.count)
    }

    /// What waits from a number on.
    func backlog(from next: UInt64) -> Backlog {
        let (written, held) = (segments.all.waiting(from: next), tail.frames.waiting(from: next))
        var backlog = Backlog()
        backlog.count = Int(clamping: written.count &+ held.count)
        guard backlog.count > 0 else { return backlog }
        backlog.bytes = max(0, written.weight &+ held.weight)
        let segment = segments.all.first { $0.range.end > next }
        backlog.oldest =
            segment.map { times.instant(of: max(next, $0.summary.first)) ?? $0.appended } ?? tail.oldest(from: next)
        return backlog
    }

    /// The last number of a stretch from `next` of at most so many numbers and about so many bytes; nil: nothing waits.
    ///
    /// A stretch is on the disk or in memory, not both: only the disk can be read again after a crash.
    func stretchEnd(from next: UInt64, maxCount: Int, maxBytes: Int64) -> UInt64? {
        segments.all.stretchEnd(from: next, maxCount: maxCount, maxBytes: maxBytes)
            ?? tail.frames.stretchEnd(from: next, maxCount: maxCount, maxBytes: maxBytes)
    }

    /// The resource of the first number held of a range, and where the range ends or another resource begins.
    func resource(in range: SequenceRange) -> (resource: Resource?, end: UInt64) {
        var found: Resource?
        let change = segments.all.change(of: &found, in: range) ?? tail.frames.change(of: &found, in: range)
        return (found, change ?? range.end)
    }
}

/// Consecutive numbers of the log that have one resource: those of a segment, or of a frame in memory.
protocol LogRun {
    var range: SequenceRange { get }
    var resource: Resource { get }
    /// About what one of its numbers takes in memory.
    var weightPerNumber: Int64 { get }
}

/// One segment in the log.
struct LogSegment: LogRun {
    var summary: SegmentSummary
    let resource: Resource
    let headerLength: Int64
    /// How long the file is, what cannot be read included.
    var fileBytes: Int64
    /// When the first of it was appended.
    let appended: MonotonicInstant

    var range: SequenceRange { summary.range }
    var weightPerNumber: Int64 { summary.weightPerNumber }

    func isOlder(than age: Nanoseconds, at now: Timestamp) -> Bool {
        let (elapsed, overflow) = now.nanoseconds.subtractingReportingOverflow(summary.created.nanoseconds)
        return !overflow && elapsed > age.value
    }
}

extension BidirectionalCollection where Element: LogRun {
    fileprivate func stretchEnd(from next: UInt64, maxCount: Int, maxBytes: Int64) -> UInt64? {
        var end: UInt64?
        var (count, size) = (0, Int64(0))
        var resource: Resource?
        for run in self where run.range.end > next && !run.range.isEmpty {
            if let resource, run.resource != resource { break }
            resource = run.resource
            let first = Swift.max(run.range.first, next)
            let waiting = Int(clamping: run.range.end &- first)
            let fitting = Int(clamping: Swift.max(0, maxBytes &- size) / run.weightPerNumber)
            let room = Swift.min(Swift.max(1, maxCount) - count, fitting)
            // A batch holds at least one number, whatever its size.
            let taken = Swift.min(waiting, count == 0 ? Swift.max(1, room) : room)
            guard taken > 0 else { break }
            end = first &+ UInt64(taken) &- 1
            count += taken
            size &+= Int64(taken) &* run.weightPerNumber
            guard taken == waiting else { break }
        }
        return end
    }

    fileprivate func waiting(from next: UInt64) -> (count: UInt64, weight: Int64) {
        var (count, weight) = (UInt64(0), Int64(0))
        for run in reversed() {
            guard run.range.end > next else { break }
            let waiting = run.range.end &- Swift.max(run.range.first, next)
            count &+= waiting
            weight &+= run.weightPerNumber &* Int64(clamping: waiting)
        }
        return (count, weight)
    }

    /// The first number of a range that has another resource than those before it.
    fileprivate func change(of resource: inout Resource?, in range: SequenceRange) -> UInt64? {
        for run in self where !run.range.overlap(range).isEmpty {
            if let resource, run.resource != resource { return run.range.first }
            resource = run.resource
        }
        return nil
    }
}
