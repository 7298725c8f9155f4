internal import SondeDomain
internal import SondeEngine

extension DiskLog {
    /// Adopts what a scan found; changes no file.
    mutating func adopt(_ scan: SegmentScan, nextSequence: UInt64, _ slots: [String: CursorSlot?]) {
        segments = scan.segments.map { segment in
            LogSegment(
                summary: segment.summary,
                resource: segment.resource,
                headerLength: segment.headerLength,
                fileBytes: segment.fileBytes,
                appended: instant(of: segment.summary.created)
            )
        }
        segmentBytes = segments.reduce(0) { $0 &+ $1.fileBytes }
        self.nextSequence = nextSequence
        checkpoints = scan.checkpoints
        unended = (scan.unended, scan.unended.isEmpty ? 0 : carryBound)
        gaps = scan.gaps
        for (sink, slot) in slots { readers[sink] = reader(sink, slot, scan) }
        recountAll()
        markPlaces()
    }

    /// Reports what is missing and performs the repairs, once the new segment is there.
    ///
    /// Numbers from the end of the segments up to `memoryEnd` were in memory.
    mutating func settle(_ scan: SegmentScan, memoryEnd: UInt64) {
        for (code, text) in scan.findings { failures.note(code, text) }
        tellMissing(scan, memoryEnd)
        repair(scan.repairs)
        recountAll()
        _ = removeRead()
        if settings.synchronization != .none { doubtLeftovers(from: scan.safeEnd) }
    }

    /// Discards what another machine has collected: its own agent has the same, and delivers it.
    ///
    /// Returns what to move away once the new segment is there. The cursors stay: numbers are not assigned again.
    mutating func disown() -> [LogSegment] {
        failures.note(.spoolForeign, "another machine wrote it; what waits is set aside")
        for segment in segments where segment.summary.count > 0 {
            // No sink waits for the log yet.
            for part in overflowLosses(of: segment).uncounted {
                lossCounts.learn(part, part.count(paths, fileSystem, interner))
            }
            for loss in overflowLosses(of: segment).losses {
                losses.append(
                    Loss(reason: "spool_foreign", component: loss.sink, from: loss.from, to: loss.to, count: loss.count)
                )
            }
            note(GapRecord(.foreign, segment.summary.range))
        }
        defer {
            segments = []
            segmentBytes = 0
            unended = ([], 0)
        }
        return segments
    }

    /// Moves segments of another machine to the quarantine.
    mutating func setAside(foreign segments: [LogSegment]) {
        for segment in segments where segment.summary.first != active?.first {
            let name = SpoolPaths.segmentName(segment.summary.first)
            quarantine.take(paths.segment(segment.summary.first), size: segment.fileBytes, as: "\(name).foreign")
        }
        if !segments.isEmpty { directoryIsDirty = true }
    }

    // A killed process leaves writes that it never synced: they are read, and may still be lost in a power cut.
    private mutating func doubtLeftovers(from safeEnd: UInt64) {
        directoryIsDirty = true
        var leftovers: [SegmentWriter] = []
        for segment in segments where segment.summary.end > safeEnd && segment.summary.first != active?.first {
            let first = segment.summary.first
            do throws(FileSystemError) {
                let file = try PatientReading.run { () throws(FileSystemError) in
                    try fileSystem.open(paths.segment(first), .update)
                }
                leftovers.append(SegmentWriter(first: first, leftover: file, length: segment.fileBytes))
            } catch {
                // What cannot be synced may not be offered.
                markDamaged(segment: first, from: first, offset: 0, error.text)
            }
        }
        sealed = leftovers + sealed
    }

    /// The position in a cursor; without one, what is after the position in the newest header is offered again.
    private func reader(_ sink: String, _ slot: CursorSlot?, _ scan: SegmentScan) -> LogReader {
        let begin = scan.begin ?? nextSequence
        let next = slot?.next ?? max(begin, scan.places[sink] ?? begin)
        var reader = LogReader(
            kind: .durable, wants: [.metrics, .snapshots], figures: BacklogFigures(), next: next, safeNext: next)
        reader.isConfigured = false
        if let slot, slot.cutEnd > 0 { reader.cutEnd = slot.cutEnd }
        return reader
    }

    /// Notes the time of what each sink has to read next: its segment may have begun long before.
    private mutating func markPlaces() {
        for next in Set(readers.values.map(\.next)).sorted() {
            let place = SequenceRange(first: next, end: next.addingReportingOverflow(1).partialValue)
            guard let segment = segments.first(where: { !$0.summary.range.overlap(place).isEmpty }) else { continue }
            let wanted = FrameDecoder.Wanted(range: place, content: [.metrics, .snapshots])
            let contents = SegmentPart(segment: segment, wanted: wanted).count(paths, fileSystem, interner)
            marks.add(next, at: instant(of: contents.oldest))
        }
    }

    private mutating func tellMissing(_ scan: SegmentScan, _ memoryEnd: UInt64) {
        var present = SequenceRanges(bound: .max)
        for gap in gaps.ranges { present.insert(gap) }
        for segment in segments { present.insert(segment.summary.range) }
        let unknown = present.missing(in: scan.unknownEnd)
        for range in unknown { present.insert(range) }
        let oldest = readers.values.map(\.next).min() ?? nextSequence
        let missing = present.missing(in: SequenceRange(first: oldest, end: nextSequence))
        let memory = SequenceRange(first: scan.end, end: memoryEnd)
        for range in missing {
            let inMemory = range.overlap(memory)
            let onDisk = SequenceRange(first: range.first, end: inMemory.isEmpty ? range.end : inMemory.first)
            note(lossesOf: onDisk, "spool_damaged")
            note(lossesOf: inMemory, "spool_memory_lost")
            note(GapRecord(.damaged, onDisk))
            note(GapRecord(.memory, inMemory))
        }
        for range in unknown { note(GapRecord(.damaged, range)) }
        guard !unknown.isEmpty || (scan.isCutShort && missing.isEmpty) else { return }
        // What was cut off had no known numbers.
        for sink in readers.keys.sorted() { losses.append(Loss(reason: "spool_damaged", component: sink)) }
    }

    /// The monotonic instant of a wall time, as far as the clocks allow.
    private func instant(of time: Timestamp) -> MonotonicInstant {
        let (age, overflow) = clock.wallTime.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        return clock.monotonicTime.advanced(by: Nanoseconds(overflow ? 0 : -max(0, age)))
    }
}
