internal import SondeDomain
internal import SondeEngine

extension DiskLog {
    /// The result of making room.
    enum GivingWay {
        /// There is more room, for which this was lost.
        case dropped([OverflowLoss])
        /// These parts have to be counted before they are lost.
        case uncounted([SegmentPart])
        /// Nothing may be dropped.
        case impossible
    }

    /// Makes room by removing what no durable sink waits for; whether there was any.
    mutating func removeUnwanted() -> Bool {
        if removeRead() { return true }
        let durable = readers.values.filter { $0.kind == .durable }
        let next = durable.map(\.next).min() ?? nextSequence
        if forgetTail(below: next) { return true }
        let unwanted = segments.firstIndex { segment in !durable.contains { $0.isBefore(segment.summary.end) } }
        return unwanted.map { removeWhole(at: $0) } ?? false
    }

    /// Makes room by dropping the oldest, where that is allowed.
    mutating func giveWay() -> GivingWay {
        let durable = readers.values.filter { $0.kind == .durable }
        guard settings.overflow == .dropOldest || durable.isEmpty else { return .impossible }
        let full = segments.indices.filter { segments[$0].summary.count > 0 }
        let free = full.first { index in !durable.contains { $0.isOffering(segments[index].summary.range) } }
        // A stretch under way keeps its segment while another can be removed: its body must not change.
        if let free, let outcome = dropOldest(at: free) { return outcome }
        if lack == .fileSystem, let losses = dropOldestOfTail() { return .dropped(losses) }
        guard let index = full.first, index != free else { return .impossible }
        let held = file(of: segments[index])
        guard let outcome = dropOldest(at: index) else { return .impossible }
        // The sink's thread has it open: only unlinked, it would still take space.
        if case .dropped = outcome { try? held?.truncate(to: 0) }
        return outcome
    }

    /// Drops what memory holds below a number; whether there was any.
    ///
    /// It was delivered: the checkpoints of its sources are written with the next header.
    @discardableResult
    mutating func forgetTail(below next: UInt64) -> Bool {
        var hasForgotten = false
        while let frame = tail.frames.first, frame.range.end <= next {
            if let checkpoint = frame.group.checkpoint { checkpoints[checkpoint.source] = checkpoint.bytes }
            tail.removeFirst()
            hasForgotten = true
        }
        return hasForgotten
    }

    /// Drops the oldest frame in memory that no sink is offered; nil: there is none.
    private mutating func dropOldestOfTail() -> [OverflowLoss]? {
        let durable = readers.values.filter { $0.kind == .durable }
        let free = tail.frames.firstIndex { frame in
            frame.group.count > 0 && !durable.contains { $0.isOffering(frame.range) }
        }
        guard let free else { return nil }
        let frame = tail.remove(at: free)
        if let checkpoint = frame.group.checkpoint { checkpoints[checkpoint.source] = checkpoint.bytes }
        note(GapRecord(.overflow, frame.range))
        defer { recountAll() }
        return readers.sorted { $0.key < $1.key }.compactMap { sink, reader in
            guard reader.kind == .durable else { return nil }
            let lost = SequenceRange(first: reader.next, end: .max)
            return frame.loss(of: FrameDecoder.Wanted(range: lost, content: reader.wants), for: sink)
        }
    }

    private mutating func dropOldest(at index: Int) -> GivingWay? {
        let (losses, uncounted) = overflowLosses(of: segments[index])
        guard uncounted.isEmpty else { return .uncounted(uncounted) }
        guard drop(at: index, .overflow) else { return nil }
        lossCounts.forget()
        return .dropped(losses)
    }

    /// A segment's file for writing, opened unless it is open; nil when it cannot be opened.
    private func file(of segment: LogSegment) -> (any OpenFile)? {
        let first = segment.summary.first
        return openFile(ofSegment: first) ?? (try? fileSystem.open(paths.segment(first), .update))
    }

    /// Removes the segments that every sink is past; whether there were any.
    ///
    /// What must outlive them, mainly checkpoints, is in the header of a segment that stays.
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

    /// Removes a segment that is not needed, the newest only if it has contents and once there is another.
    ///
    /// The newest has the assigned numbers and the checkpoints of sources: after a kill between two calls a start must
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

    /// Makes the segment after the newest; it may use space that is kept free, since the newest is removed at once.
    mutating func makeSuccessor() -> Bool {
        guard case .opened = makeSegment(nextHeader()) else { return false }
        return true
    }

    /// Whether numbers and checkpoints of a segment are elsewhere: it may be removed first if there is no room at all.
    private func isTold(_ segment: LogSegment) -> Bool {
        checkpoints.isEmpty
            && readers.values.contains { $0.kind == .durable && $0.safeNext >= segment.summary.end }
    }

    /// Removes a segment whose contents are lost, and notes the gap.
    mutating func drop(at index: Int, _ reason: GapRecord.Reason) -> Bool {
        let range = segments[index].summary.range
        guard removeWhole(at: index) else { return false }
        note(GapRecord(reason, range))
        // What was reported as lost must not reappear after a power cut.
        directoryIsDirty = true
        return true
    }

    /// Notes numbers that are lost and were reported, or are about to be.
    mutating func note(_ gap: GapRecord) {
        guard !gap.range.isEmpty else { return }
        gaps.insert(gap.range)
        if untoldGaps.count >= Self.untoldBound { untoldGaps.removeFirst() }
        untoldGaps.append(gap)
    }

    /// What the durable sinks lose with a segment: the points and documents meant for them; parts that have to be
    /// counted first are left out of it.
    func overflowLosses(of segment: LogSegment) -> (losses: [OverflowLoss], uncounted: [SegmentPart]) {
        var losses: [OverflowLoss] = []
        var uncounted: [SegmentPart] = []
        for (sink, reader) in readers.sorted(by: { $0.key < $1.key }) where reader.kind == .durable {
            let lost = SequenceRange(first: reader.next, end: .max).overlap(segment.summary.range)
            guard !lost.isEmpty else { continue }
            let wanted = FrameDecoder.Wanted(range: lost, content: reader.wants)
            let part = SegmentPart(segment: segment, wanted: wanted)
            guard let contents = lossCounts.contents(of: part) else {
                uncounted.append(part)
                continue
            }
            guard contents.count > 0 else { continue }
            losses.append(
                OverflowLoss(sink: sink, count: contents.count, from: contents.oldest, to: contents.newest))
        }
        return (losses, uncounted)
    }

    /// Drops what is older than the bound; called at intervals, and again once what it returns was counted.
    mutating func expire() -> [SegmentPart] {
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
            let (lost, uncounted) = overflowLosses(of: segments[0])
            guard uncounted.isEmpty else { return uncounted }
            for loss in lost {
                losses.append(
                    Loss(reason: "spool_expired", component: loss.sink, from: loss.from, to: loss.to, count: loss.count)
                )
            }
            guard drop(at: 0, .expired) else { break }
        }
        lossCounts.forget()
        return []
    }

    private func isOlder(_ time: Timestamp, than age: Nanoseconds, _ now: Timestamp) -> Bool {
        let (elapsed, overflow) = now.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        return !overflow && elapsed > age.value
    }
}
