internal import SondeDomain
internal import SondeEngine

/// The contents of one append.
struct AppendGroup {
    var points: [SpooledPoint]
    var documents: [Document]
    var checkpoint: SpoolCheckpoint?
    var instant: MonotonicInstant
    /// Assigned by the log.
    var resource = Resource()

    var count: Int { points.count + documents.count }
}

extension DiskLog {
    enum Placement {
        case written(FrameContents)
        /// The segment was full: the next one is to take it.
        case sealed
        case tooLarge
        case noRoom
        case failed
    }

    // A write that fails is tried once more in a new segment.
    private static let writeAttempts = 2
    // One large frame does not keep its memory.
    private static let keptScratch = 1 << 20
    // About 4 MiB of definitions in memory.
    static let seriesPerSegment = 8192

    /// The result of an append.
    enum AppendOutcome {
        case ended(AppendResult)
        /// To be tried again once these parts were counted.
        case uncounted([SegmentPart])
    }

    /// Appends one frame, or returns why not; adds to `losses` what was dropped for it.
    mutating func append(_ appended: AppendGroup, _ losses: inout [OverflowLoss]) -> AppendOutcome {
        var group = appended
        if !isWanted(.metrics) { group.points = [] }
        if !isWanted(.snapshots) { group.documents = [] }
        group.resource = resource
        let empty = Stretch(first: nextSequence, last: nextSequence &- 1)
        guard group.count > 0 || group.checkpoint != nil else { return .ended(.taken(empty)) }
        var attempts = Self.writeAttempts
        while true {
            switch write(group) {
            case .written(let contents):
                take(group, contents)
                failures.recovered()
                return .ended(.taken(Stretch(first: empty.first, last: nextSequence &- 1)))
            case .sealed: continue
            case .tooLarge:
                losses = Self.merged(losses, rejected(group))
                return .ended(.taken(empty))
            case .noRoom:
                if removeUnwanted() { continue }
                if lack == .fileSystem, let contents = holdInMemory(group) {
                    take(group, contents)
                    return .ended(.taken(Stretch(first: empty.first, last: nextSequence &- 1)))
                }
                switch giveWay() {
                case .dropped(let dropped): losses = Self.merged(losses, dropped)
                case .uncounted(let parts): return .uncounted(parts)
                case .impossible: return .ended(.refused)
                }
            case .failed:
                attempts -= 1
                guard attempts > 0 else { return .ended(.failed) }
            }
        }
    }

    /// Keeps an append in memory, once the disk has the end of its numbers; nil: it cannot.
    private mutating func holdInMemory(_ group: AppendGroup) -> FrameContents? {
        guard let contents = tail.take(group, first: nextSequence) else { return nil }
        do throws(FileSystemError) {
            // Where the disk does not have the epoch, no later start continues its numbers.
            if endMark == nil, epochIsOnDisk { endMark = try EndMark(paths.end, fileSystem) }
            try endMark?.write(EndMark.End(epoch: epoch, end: nextSequence &+ UInt64(group.count)))
            return contents
        } catch {
            failures.note(error, "memory cannot hold what there is no room for")
            tail.removeLast()
            return nil
        }
    }

    /// Assigns the next numbers to what was appended.
    private mutating func take(_ group: AppendGroup, _ contents: FrameContents) {
        guard group.count > 0 else { return }
        marks.add(nextSequence, at: group.instant)
        nextSequence &+= UInt64(group.count)
        for place in readers.values.indices {
            readers.values[place].waiting &+= UInt64(group.count)
            readers.values[place].weight &+= contents.weight
            readers.values[place].figures.grow(by: group.count, contents.weight, at: group.instant)
        }
    }

    /// Writes a frame after all that memory holds.
    private mutating func write(_ group: AppendGroup) -> Placement {
        if let held = drain() { return held }
        return place(group, at: nextSequence)
    }

    /// Writes what memory holds to the disk where there is room again.
    mutating func returnToDisk() {
        guard !tail.isEmpty else { return }
        if case nil = drain() { failures.recovered(from: .spoolFull) }
    }

    /// Writes what memory holds to the disk, in order; why not all of it, nil: all was written.
    mutating func drain() -> Placement? {
        guard !tail.isEmpty else { return nil }
        defer { recountAll() }
        while let frame = tail.frames.first {
            switch place(frame.group, at: frame.first) {
            case .sealed: continue
            case .written: break
            case .tooLarge:
                note(lossesOf: frame.range, "spool_overflow")
                note(GapRecord(.overflow, frame.range))
            case .noRoom: return .noRoom
            case .failed: return .failed
            }
            tail.removeFirst()
        }
        return nil
    }

    /// One loss per sink.
    private static func merged(_ losses: [OverflowLoss], _ more: [OverflowLoss]) -> [OverflowLoss] {
        guard !losses.isEmpty else { return more }
        var bySink = Dictionary(losses.map { ($0.sink, $0) }) { first, _ in first }
        for loss in more {
            guard var known = bySink[loss.sink] else {
                bySink[loss.sink] = loss
                continue
            }
            known.count &+= loss.count
            known.from = min(known.from, loss.from)
            known.to = max(known.to, loss.to)
            bySink[loss.sink] = known
        }
        return bySink.values.sorted { $0.sink < $1.sink }
    }

    /// What every durable sink loses with a group that can never be taken.
    private func rejected(_ group: AppendGroup) -> [OverflowLoss] {
        readers.filter { $0.value.kind == .durable }.sorted { $0.key < $1.key }.compactMap { sink, reader in
            let points = reader.wants.contains(.metrics) ? group.points.map(\.time) : []
            let times = points + (reader.wants.contains(.snapshots) ? group.documents.map(\.time) : [])
            guard let oldest = times.min(), let newest = times.max() else { return nil }
            return OverflowLoss(sink: sink, count: UInt64(times.count), from: oldest, to: newest)
        }
    }

    private mutating func place(_ group: AppendGroup, at first: UInt64) -> Placement {
        // What memory held and no sink waits for any more is not written: numbers within a segment have no gap.
        if let last = segments.indices.last,
            segments[last].summary.end != first || segments[last].resource != group.resource
        {
            seal()
        }
        if active == nil {
            switch openSegment() {
            case .opened: break
            case .noRoom: return .noRoom
            case .failed: return .failed
            }
        }
        guard let known = active?.encoder.series.count, let length = active?.length, let index = segments.indices.last
        else { return .failed }
        let contents = encode(group, at: first)
        let size = Int64(scratch.count)
        let successor = successorLength(after: group.checkpoint)
        let misfit =
            definesTooMany(after: known)
            ? Placement.sealed
            : misfit(size, after: length, before: successor)
        guard case nil = misfit, write(group.points, contents, known, at: index) else {
            active?.encoder.forget(after: known)
            if case .tooLarge = misfit { scratch.shrink(to: Self.keptScratch) }
            if case .sealed = misfit { seal() }
            return misfit ?? afterFailure()
        }
        if let checkpoint = group.checkpoint { checkpoints[checkpoint.source] = checkpoint.bytes }
        scratch.shrink(to: Self.keptScratch)
        return .written(contents)
    }

    private mutating func encode(_ group: AppendGroup, at first: UInt64) -> FrameContents {
        scratch.truncate(to: 0)
        for gap in untoldGaps {
            Frame.write(Frame.Kind.gap, first, to: &scratch) { gap.write(to: &$0) }
        }
        if group.count == 0, let checkpoint = group.checkpoint {
            Frame.write(Frame.Kind.checkpoint, first, to: &scratch) { writer in
                writer.append(text: checkpoint.source)
                writer.append(counted: checkpoint.bytes)
            }
            return FrameContents()
        }
        return active?.encoder.encode(
            group.points, group.documents, group.checkpoint, first: first, to: &scratch) ?? FrameContents()
    }

    /// Whether the frame defines series in a segment that has enough of them.
    ///
    /// Writer and readers keep every series of a segment: if series change often, a large segment would hold many that
    /// have ended. A segment whose series stay may have any number.
    private func definesTooMany(after known: Int) -> Bool {
        guard let encoder = active?.encoder else { return false }
        return known - encoder.carriedCount >= Self.seriesPerSegment && encoder.series.count > known
    }

    /// Why the frame may not be written where the segment ends; nil: it may.
    private mutating func misfit(_ size: Int64, after length: Int64, before successor: Int64) -> Placement? {
        guard size <= Int64(Frame.maxPayload), size <= settings.maxBytes / 2 else { return .tooLarge }
        let held = length &- (active?.emptyLength ?? length)
        if held > 0, held &+ size > segmentBound(for: size) { return .sealed }
        return hasRoom(size &+ successor) ? nil : .noRoom
    }

    /// Writes the frame at the end of the segment; false leaves the segment as it was, or sealed.
    private mutating func write(
        _ points: [SpooledPoint],
        _ contents: FrameContents,
        _ known: Int,
        at index: Int
    ) -> Bool {
        guard let file = active?.file, let length = active?.length else { return false }
        do throws(FileSystemError) {
            try scratch.withBytes { bytes throws(FileSystemError) in try file.writeWhole(bytes, at: length) }
        } catch {
            writeFailed(error, at: length)
            return false
        }
        let size = Int64(scratch.count)
        let waitsForSync = settings.synchronization != .none
        scratch.withBytes { active?.grew(by: $0, isKept: waitsForSync) }
        for series in active?.encoder.series[known...] ?? [] { interner.register(series) }
        active?.encoder.wrote(points, contents)
        segments[index].summary.add(contents)
        segments[index].summary.bytes &+= size
        segments[index].fileBytes &+= size
        segmentBytes &+= size
        allowance &-= size
        untoldGaps.removeAll()
        return true
    }

    /// Truncates what was written of a frame; where that fails too, the segment ends before it.
    private mutating func writeFailed(_ error: FileSystemError, at length: Int64) {
        failures.note(error, "a write failed")
        lastWriteError = error
        do throws(FileSystemError) {
            try active?.file.truncate(to: length)
            if !error.isOutOfSpace { seal() }
        } catch {
            seal()
        }
    }

    private mutating func afterFailure() -> Placement {
        guard lastWriteError?.isOutOfSpace == true else { return .failed }
        lack = .fileSystem
        return .noRoom
    }
}
