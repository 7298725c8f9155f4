internal import SondeDomain
internal import SondeEngine

extension DiskLog {
    /// Makes room and tells what was lost for it; nil when nothing may give way.
    mutating func giveWay() -> [OverflowLoss]? {
        if removeRead() { return [] }
        let durable = readers.values.filter { $0.kind == .durable }
        if let index = segments.firstIndex(where: { segment in
            !durable.contains { $0.isBefore(segment.summary.end) }
        }), removeWhole(at: index) {
            return []
        }
        guard settings.overflow == .dropOldest || durable.isEmpty else { return nil }
        let full = segments.indices.filter { segments[$0].summary.count > 0 }
        let free = full.first { index in !durable.contains { $0.isOffering(segments[index].summary.range) } }
        // A stretch under way keeps its segment while any other can go: its body must not change.
        if let free, let losses = dropOldest(at: free) { return losses }
        guard let index = full.first, index != free else { return nil }
        let held = file(of: segments[index])
        let losses = dropOldest(at: index)
        // Whoever offers it has it open: without a name alone it would go on taking room.
        if losses != nil { try? held?.truncate(to: 0) }
        return losses
    }

    private mutating func dropOldest(at index: Int) -> [OverflowLoss]? {
        let losses = overflowLosses(of: segments[index])
        return drop(at: index, .overflow) ? losses : nil
    }

    /// A segment's file for writing, opened unless it is open; nil when it cannot be had.
    private func file(of segment: LogSegment) -> (any OpenFile)? {
        let first = segment.summary.first
        return openFile(ofSegment: first) ?? (try? fileSystem.open(paths.segment(first), .update))
    }

    /// Removes the segments that every sink is past; whether there were any.
    ///
    /// What must outlive them, checkpoints above all, stands in the header of a segment that stays.
    mutating func removeRead() -> Bool {
        var removed = false
        while let first = segments.first, active?.first != first.summary.first, isExpendable(first),
            !readers.values.contains(where: { $0.isBefore(first.summary.end) })
        {
            remove(at: 0)
            removed = true
        }
        return removed
    }

    private func isExpendable(_ segment: LogSegment) -> Bool {
        guard settings.synchronization != .none else { return active != nil }
        return anchor.map { segment.summary.first < $0 } ?? false
    }

    /// Removes a segment that nobody needs, the newest only if it has contents and once there is another.
    ///
    /// The newest tells which numbers were given and where sources stand: an agent that is killed between two calls must
    /// find it or its successor.
    private mutating func removeWhole(at index: Int) -> Bool {
        guard index < segments.count else { return false }
        if index == segments.count - 1 {
            guard segments[index].summary.count > 0, makeSuccessor() || isTold(segments[index]) else { return false }
        }
        remove(at: index)
        recountAll()
        return true
    }

    /// Makes the segment after the newest; the room that is left to others may serve for it, since the newest goes at once.
    mutating func makeSuccessor() -> Bool {
        guard case .opened = makeSegment(nextHeader()) else { return false }
        return true
    }

    /// Whether numbers and checkpoints of a segment stand elsewhere: it may go first where there is no room at all.
    private func isTold(_ segment: LogSegment) -> Bool {
        checkpoints.isEmpty
            && readers.values.contains { $0.kind == .durable && $0.safeNext >= segment.summary.end }
    }

    /// Removes a segment whose contents are lost, and notes the gap.
    mutating func drop(at index: Int, _ reason: GapRecord.Reason) -> Bool {
        let range = segments[index].summary.range
        guard removeWhole(at: index) else { return false }
        note(GapRecord(reason, range))
        // What was told as lost must not come back after a power cut.
        directoryIsDirty = true
        return true
    }

    /// Notes numbers that are gone and were told, or are about to be.
    mutating func note(_ gap: GapRecord) {
        guard !gap.range.isEmpty else { return }
        gaps.insert(gap.range)
        if untoldGaps.count >= Self.untoldBound { untoldGaps.removeFirst() }
        untoldGaps.append(gap)
    }

    /// What the durable sinks lose with a segment: the points and documents that they were to get.
    func overflowLosses(of segment: LogSegment) -> [OverflowLoss] {
        readers.compactMap { sink, reader in
            guard reader.kind == .durable else { return nil }
            let lost = SequenceRange(first: reader.next, end: .max).overlap(segment.summary.range)
            guard !lost.isEmpty else { return nil }
            let (count, oldest, newest) = contents(BatchDecoder.Wanted(range: lost, content: reader.wants), of: segment)
            guard count > 0 else { return nil }
            return OverflowLoss(sink: sink, count: count, from: oldest, to: newest)
        }
        .sorted { $0.sink < $1.sink }
    }

    /// How much a part of a segment holds; it is read only when its summary does not say.
    private func contents(
        _ wanted: BatchDecoder.Wanted,
        of segment: LogSegment
    ) -> (UInt64, Timestamp, Timestamp) {
        let summary = segment.summary
        let points = wanted.content.contains(.metrics) ? summary.points : 0
        let documents = wanted.content.contains(.snapshots) ? summary.documents : 0
        if wanted.range == summary.range { return (points &+ documents, summary.oldest, summary.newest) }
        guard let times = times(of: wanted, in: segment) else {
            return (min(wanted.range.count, points &+ documents), summary.oldest, summary.newest)
        }
        return (UInt64(times.count), times.min() ?? summary.oldest, times.max() ?? summary.newest)
    }

    private func times(of wanted: BatchDecoder.Wanted, in segment: LogSegment) -> [Timestamp]? {
        guard let file = try? fileSystem.open(paths.segment(segment.summary.first), .read) else { return nil }
        var reader = SegmentReader(file, segment, interner)
        var output = BatchDecoder.Output()
        while true {
            switch reader.nextPatiently(wanted, to: &output) {
            case .contents, .gap: continue
            case .end: return output.points.map(\.time) + output.documents.map(\.time)
            // What cannot be read any more is lost too: the summary says how much there was.
            case .damaged, .failed: return nil
            }
        }
    }

    /// Lets go what is older than the bound; called now and then.
    mutating func expire() {
        let now = steadyTime
        if let active, let last = segments.last, active.first == last.summary.first, last.summary.count > 0,
            isOlder(last.summary.created, than: Nanoseconds(settings.maxAge.value / 16), now)
        {
            seal()
        }
        let durable = readers.values.filter { $0.kind == .durable }
        while segments.count > 1, isExpendable(segments[0]),
            isOlder(segments[1].summary.created, than: settings.maxAge, now),
            !durable.contains(where: { $0.isOffering(segments[0].summary.range) })
        {
            for loss in overflowLosses(of: segments[0]) {
                losses.append(
                    Loss(reason: "spool_expired", component: loss.sink, from: loss.from, to: loss.to, count: loss.count)
                )
            }
            guard drop(at: 0, .expired) else { return }
        }
    }

    private func isOlder(_ time: Timestamp, than age: Nanoseconds, _ now: Timestamp) -> Bool {
        let (elapsed, overflow) = now.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        return !overflow && elapsed > age.value
    }
}
