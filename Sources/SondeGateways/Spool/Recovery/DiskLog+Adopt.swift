internal import SondeDomain
internal import SondeEngine

extension DiskLog {
    /// Takes over what a scan found, and tells what is missing.
    mutating func adopt(_ scan: SegmentScan, nextSequence: UInt64, _ slots: [String: CursorSlot?]) {
        segments = scan.segments.map { segment in
            LogSegment(
                summary: segment.summary,
                headerLength: segment.headerLength,
                fileBytes: segment.fileBytes,
                appended: instant(of: segment.summary.created)
            )
        }
        segmentBytes = segments.reduce(0) { $0 &+ $1.fileBytes }
        self.nextSequence = nextSequence
        checkpoints = scan.checkpoints
        gaps = scan.gaps
        for (code, text) in scan.findings { failures.note(code, text) }
        for (sink, slot) in slots { readers[sink] = reader(slot) }
        tellMissing(isCutShort: scan.isCutShort)
        for index in segments.indices.reversed() where segments[index].summary.count == 0 { remove(at: index) }
        recountAll()
        _ = removeRead()
        if settings.synchronization != .none { doubtLeftovers(from: scan.safeEnd) }
    }

    // A killed process leaves writes that it never synced: they are read, and a power cut may still take them.
    private mutating func doubtLeftovers(from safeEnd: UInt64) {
        directoryIsDirty = true
        for segment in segments where segment.summary.end > safeEnd {
            let first = segment.summary.first
            guard let file = try? fileSystem.open(paths.segment(first), .update) else { continue }
            sealed.append(SegmentWriter(first: first, leftover: file, length: segment.fileBytes))
        }
    }

    /// The place that a cursor names; without one, everything is offered again.
    private func reader(_ slot: CursorSlot?) -> LogReader {
        let next = slot?.next ?? segments.first?.summary.first ?? nextSequence
        var reader = LogReader(kind: .durable, wants: [.metrics, .snapshots], next: next, safeNext: next)
        reader.isConfigured = false
        if let slot, slot.cutEnd > 0 { reader.cutEnd = slot.cutEnd }
        return reader
    }

    private mutating func tellMissing(isCutShort: Bool) {
        var present = SequenceRanges(bound: .max)
        for gap in gaps.ranges { present.insert(gap) }
        for segment in segments { present.insert(segment.summary.range) }
        let oldest = readers.values.map(\.next).min() ?? nextSequence
        let missing = present.missing(in: SequenceRange(first: oldest, end: nextSequence))
        for range in missing {
            note(lossesOf: range, "spool_damaged")
            note(GapRecord(.damaged, range))
        }
        guard isCutShort, missing.isEmpty else { return }
        // What was cut off had no numbers that anybody knows of.
        for sink in readers.keys.sorted() { losses.append(Loss(reason: "spool_damaged", component: sink)) }
    }

    /// The monotonic instant of a wall time, as far as the clocks can say.
    private func instant(of time: Timestamp) -> MonotonicInstant {
        let (age, overflow) = clock.wallTime.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        return clock.monotonicTime.advanced(by: Nanoseconds(overflow ? 0 : -max(0, age)))
    }
}
