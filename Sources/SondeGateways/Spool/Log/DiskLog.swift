internal import SondeDomain
internal import SondeEngine

/// The log of ``DiskSpool``: takes what is appended, makes room for it, and says what that loses.
///
/// Its parts have their own state: segments, the end that memory holds, the sinks' positions, gaps, losses, space and
/// times. Not thread-safe. Calls the file system only to append, to make and to remove segments; never to sync.
struct DiskLog {
    /// The result of an append.
    enum AppendOutcome {
        case ended(AppendResult)
        /// To be tried again once these parts were counted.
        case uncounted([SegmentPart])
    }

    private enum Placement {
        case written(FrameContents)
        /// The segment was full: the next one is to take it.
        case sealed
        case tooLarge
        case noRoom
        case failed
    }

    // A write that fails is tried once more in a new segment.
    private static let writeAttempts = 2
    private static let lockBytes: Int64 = 32

    private let folder: SpoolFolder
    var held: LogContents
    private(set) var headers: LogHeaders
    var readers: LogReaders
    var gaps: LogGaps
    var losses = SpoolLosses()
    private var space: LogSpace
    /// What is appended from now on has in common.
    var resource: Resource

    /// The log that an earlier run left.
    init(
        _ folder: SpoolFolder,
        _ times: LogTimes,
        _ scan: SegmentScan,
        _ endMark: EndMark?,
        epoch: String,
        nextSequence: UInt64,
        readers: [String: LogReader]
    ) {
        self.folder = folder
        self.readers = LogReaders(readers)
        space = LogSpace(folder)
        gaps = LogGaps(scan.gaps)
        headers = LogHeaders(folder.settings, scan, epoch: epoch)
        resource = folder.settings.resource
        held = LogContents(
            SegmentStore(folder, scan.segments, unended: scan.unended),
            MemoryTail(folder, epoch: epoch, epochIsOnDisk: epoch == scan.epoch, endMark),
            times, nextSequence: nextSequence)
        recount()
    }

    /// The last checkpoint of a source, in memory too.
    func checkpoint(of source: String) -> [UInt8]? {
        let frame = held.tail.frames.last { $0.group.checkpoint?.source == source }
        return frame?.group.checkpoint?.bytes ?? headers.checkpoints[source]
    }

    /// The size of all files.
    var bytes: Int64 {
        let cursors = Int64(readers.all.count { $0.kind == .durable }) * Int64(CursorSlot.fileLength)
        let fixed = Self.lockBytes &+ (held.tail.endMark == nil ? 0 : Int64(EndMark.fileLength))
        return held.segments.allBytes &+ cursors &+ fixed
    }

    // MARK: Appending

    /// Appends one frame, or returns why not; adds to `lost` what was dropped for it.
    mutating func append(_ appended: AppendGroup, _ lost: inout [OverflowLoss]) -> AppendOutcome {
        var group = appended
        if !readers.isWanted(.metrics) { group.points = [] }
        if !readers.isWanted(.snapshots) { group.documents = [] }
        group.resource = resource
        let first = held.nextSequence
        guard group.count > 0 || group.checkpoint != nil else { return taken(from: first) }
        var attempts = Self.writeAttempts
        while true {
            switch drain() ?? place(group, at: held.nextSequence) {
            case .written(let frame):
                number(group, frame)
                folder.failures.recovered()
                return taken(from: first)
            case .sealed: continue
            case .tooLarge:
                lost.merge(readers.losses(of: group))
                return taken(from: first)
            case .noRoom:
                if removeUnwanted() { continue }
                do throws(FileSystemError) {
                    if space.isFileSystemFull, let frame = try held.tail.take(group, first: held.nextSequence) {
                        number(group, frame)
                        return taken(from: first)
                    }
                } catch {
                    folder.failures.note(error, "memory cannot hold what there is no room for")
                    return .ended(.failed)
                }
                guard let uncounted = dropOldest(&lost) else { return .ended(.refused) }
                guard uncounted.isEmpty else { return .uncounted(uncounted) }
            case .failed:
                attempts -= 1
                guard attempts > 0 else { return .ended(.failed) }
            }
        }
    }

    private func taken(from first: UInt64) -> AppendOutcome {
        .ended(.taken(Stretch(first: first, last: held.nextSequence &- 1)))
    }

    /// Assigns the next numbers to what was appended.
    private mutating func number(_ group: AppendGroup, _ frame: FrameContents) {
        guard group.count > 0 else { return }
        held.number(group)
        readers.grow(by: group.count, frame.weight, at: group.instant)
    }

    /// Writes what memory holds to the disk where there is room again.
    mutating func returnToDisk() {
        guard !held.tail.isEmpty else { return }
        if case nil = drain() { folder.failures.recovered(from: .spoolFull) }
    }

    /// Writes what memory holds to the disk, in order; why not all of it, nil: all was written.
    private mutating func drain() -> Placement? {
        guard !held.tail.isEmpty else { return nil }
        defer { recount() }
        while let frame = held.tail.frames.first {
            switch place(frame.group, at: frame.first) {
            case .sealed: continue
            case .written: break
            case .tooLarge: lose(frame.range, .spoolOverflow, .overflow)
            case .noRoom: return .noRoom
            case .failed: return .failed
            }
            held.tail.removeFirst()
        }
        return nil
    }

    private mutating func place(_ group: AppendGroup, at first: UInt64) -> Placement {
        // What memory held and no sink waits for any more is not written: numbers within a segment have no gap.
        if !held.segments.continues(at: first, group.resource) { held.segments.seal() }
        if held.segments.activeFirst == nil, let failure = openSegment() { return failure }
        let frame = held.segments.encode(group, at: first, gaps.unrecorded)
        let misfit = misfit(of: frame, after: group.checkpoint)
        guard case nil = misfit else {
            held.segments.dropFrame()
            if case .sealed = misfit { held.segments.seal() }
            return misfit ?? .failed
        }
        let size = held.segments.frameLength
        do throws(FileSystemError) {
            try held.segments.writeFrame(group.points, frame)
        } catch {
            guard error.isOutOfSpace else { return .failed }
            space.wasExhausted()
            return .noRoom
        }
        space.wrote(size)
        gaps.wereRecorded()
        headers.keep(group.checkpoint)
        return .written(frame)
    }

    /// Why the frame may not be written where the segment ends; nil: it may.
    private mutating func misfit(of frame: FrameContents, after checkpoint: SpoolCheckpoint?) -> Placement? {
        if held.segments.definesTooMany { return .sealed }
        let (size, length) = (held.segments.frameLength, held.segments.activeLength)
        guard frame.payload <= Frame.maxPayload, size <= folder.settings.maxBytes / 2 else { return .tooLarge }
        if length > 0, length &+ size > space.segmentBound(for: size, beside: held.segments.bytes) { return .sealed }
        // The room of the next header is kept free: before the newest segment is removed, its successor is made.
        let successor = headers.bound(
            segments: held.segments.all.count, gaps: gaps.count, places: readers.placesBound, resource,
            after: checkpoint)
        return space.hasRoom(size &+ successor &+ held.segments.carriedLength, used: bytes) ? nil : .noRoom
    }

    // MARK: Segments

    @discardableResult
    private mutating func openSegment() -> Placement? {
        do throws(FileSystemError) {
            return try openSegment { _ throws(FileSystemError) in } ? nil : .noRoom
        } catch {
            return .failed
        }
    }

    /// Makes the segment that is written to from now on; `prepare` is run on the file before it gets its name.
    ///
    /// Returns false where there is no room for it.
    mutating func openSegment(prepare: SegmentFiles.Preparation) throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            try held.tail.requireEndMark(held.nextSequence)
        } catch {
            folder.failures.note(error, "no new segment could be made")
            space.wasExhausted()
            return false
        }
        let header = nextHeader()
        let bytes = header.bytes
        guard space.hasRoom(Int64(bytes.count) &+ held.segments.carriedLength, used: self.bytes) else { return false }
        return try makeSegment(header, bytes, prepare)
    }

    /// Makes the segment after the newest; it may use space that is kept free, since the newest is removed at once.
    private mutating func makeSuccessor() -> Bool {
        let header = nextHeader()
        return (try? makeSegment(header, header.bytes) { _ throws(FileSystemError) in }) ?? false
    }

    private mutating func makeSegment(
        _ header: SegmentHeader,
        _ bytes: [UInt8],
        _ prepare: SegmentFiles.Preparation
    ) throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            try held.segments.open(header, bytes, at: held.times.now, prepare)
        } catch {
            guard error.isOutOfSpace else { throw error }
            space.wasExhausted()
            return false
        }
        space.wrote(held.segments.all.last?.fileBytes ?? 0)
        held.tail.epochWasWritten()
        readers.wereNamed(header.readers)
        return true
    }

    private mutating func nextHeader() -> SegmentHeader {
        let places = readers.places
        gaps.removeAll(below: places.map(\.next).min() ?? held.nextSequence)
        return headers.header(held, gaps.ranges, places, resource)
    }

    // MARK: Making room

    /// Makes room by removing what no durable sink waits for; whether there was any.
    private mutating func removeUnwanted() -> Bool {
        if removeRead() { return true }
        let durable = readers.durable
        if forgetTail(below: durable.map(\.value.next).min() ?? held.nextSequence) { return true }
        let unwanted = held.segments.all.firstIndex { segment in
            !durable.contains { $0.value.isBefore(segment.range.end) }
        }
        return unwanted.map { removeWhole(at: $0) } ?? false
    }

    /// Makes room by dropping the oldest, where that is allowed, and adds what that loses to `lost`.
    ///
    /// Returns what has to be counted first; nil: nothing may be dropped.
    private mutating func dropOldest(_ lost: inout [OverflowLoss]) -> [SegmentPart]? {
        let durable = readers.durable
        guard folder.settings.overflow == .dropOldest || durable.isEmpty else { return nil }
        let segments = held.segments.all
        let full = segments.indices.filter { segments[$0].summary.count > 0 }
        let free = full.first { index in !durable.contains { $0.value.isOffering(segments[index].range) } }
        // A stretch under way keeps its segment while another can be removed: its body must not change.
        if let free, let uncounted = dropOldest(at: free, &lost) { return uncounted }
        if space.isFileSystemFull, dropOldestOfTail(&lost) { return [] }
        guard let index = full.first, index != free else { return nil }
        let file = held.segments.writableFile(of: segments[index].summary.first)
        let uncounted = dropOldest(at: index, &lost)
        // The sink's thread has it open: only unlinked, it would still take space.
        if let uncounted, uncounted.isEmpty { try? file?.truncate(to: 0) }
        return uncounted
    }

    private mutating func dropOldest(at index: Int, _ lost: inout [OverflowLoss]) -> [SegmentPart]? {
        let (dropped, uncounted) = readers.losses(of: held.segments.all[index], losses)
        guard uncounted.isEmpty else { return uncounted }
        guard drop(at: index, .overflow) else { return nil }
        losses.forgetCounts()
        lost.merge(dropped)
        return []
    }

    /// Drops the oldest frame in memory that no sink is offered; whether there was one.
    private mutating func dropOldestOfTail(_ lost: inout [OverflowLoss]) -> Bool {
        let durable = readers.durable
        let free = held.tail.frames.firstIndex { frame in
            frame.group.count > 0 && !durable.contains { $0.value.isOffering(frame.range) }
        }
        guard let free else { return false }
        let frame = held.tail.remove(at: free)
        headers.keep(frame.group.checkpoint)
        gaps.insert(.overflow, frame.range)
        recount()
        lost.merge(readers.losses(of: frame))
        return true
    }

    /// Drops what memory holds below a number; whether there was any.
    private mutating func forgetTail(below next: UInt64) -> Bool {
        var hasForgotten = false
        while let frame = held.tail.frames.first, frame.range.end <= next {
            headers.keep(frame.group.checkpoint)
            held.tail.removeFirst()
            hasForgotten = true
        }
        return hasForgotten
    }

    /// Removes the held.segments that every sink is past; whether there were any.
    @discardableResult
    mutating func removeRead() -> Bool {
        var hasRemoved = false
        while let first = held.segments.all.first, held.segments.isExpendable(first),
            !readers.all.contains(where: { $0.isBefore(first.range.end) })
        {
            remove(at: 0)
            hasRemoved = true
        }
        return hasRemoved
    }

    private mutating func remove(at index: Int) {
        held.segments.remove(at: index)
        space.wasFreed()
    }

    /// Removes a segment that is not needed, the newest only if it has contents and once there is another.
    ///
    /// The newest has the assigned numbers and the checkpoints of sources: after a kill between two calls a start must
    /// find it or its successor.
    private mutating func removeWhole(at index: Int) -> Bool {
        let segment = held.segments.all[index]
        if index == held.segments.all.count - 1 {
            guard segment.summary.count > 0, makeSuccessor() || isRecordedElsewhere(segment) else { return false }
        }
        remove(at: index)
        recount()
        return true
    }

    /// Whether numbers and checkpoints of a segment are elsewhere: it may be removed first if there is no room at all.
    private func isRecordedElsewhere(_ segment: LogSegment) -> Bool {
        headers.checkpoints.isEmpty && readers.all.contains { $0.kind == .durable && $0.safeNext >= segment.range.end }
    }

    /// Removes a segment whose contents are lost, and notes the gap.
    private mutating func drop(at index: Int, _ reason: GapRecord.Reason) -> Bool {
        let range = held.segments.all[index].range
        guard removeWhole(at: index) else { return false }
        gaps.insert(reason, range)
        // What was reported as lost must not reappear after a power cut.
        held.segments.markDirectory()
        return true
    }

    /// The wall clock is right now: ages are counted by it.
    mutating func clockBecameRight() { held.times.begin() }

    /// Drops what is older than the bound; called at intervals, and again once what it returns was counted.
    mutating func expire() -> [SegmentPart] {
        space.refresh()
        let now = held.times.steadyTime
        if held.segments.activeFirst != nil, let last = held.segments.all.last, last.summary.count > 0,
            last.isOlder(than: Nanoseconds(folder.settings.maxAge.value / 16), at: now)
        {
            held.segments.seal()
        }
        let durable = readers.durable
        while held.segments.all.count > 1, let first = held.segments.all.first, held.segments.isExpendable(first),
            held.segments.all[1].isOlder(than: folder.settings.maxAge, at: now),
            !durable.contains(where: { $0.value.isOffering(first.range) })
        {
            let (lost, uncounted) = readers.losses(of: first, losses)
            guard uncounted.isEmpty else { return uncounted }
            losses.report(.spoolExpired, lost)
            guard drop(at: 0, .expired) else { break }
        }
        losses.forgetCounts()
        return []
    }

    // MARK: Sinks

    /// Registers a sink and returns where it is, which may be where an earlier run left it.
    mutating func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent, _ figures: BacklogFigures)
        -> LogReader
    {
        let known = readers[sink]
        if kind == .live { losses.report(known?.removalLoss(sink, held)) }
        // A live sink has a position only where it was reconfigured.
        let resumed = known?.kind == kind ? known : nil
        let reader = LogReader(kind, wants: wants, figures, resuming: resumed, at: held.nextSequence)
        readers[sink] = reader
        reader.recount(held)
        nameReaders()
        return reader
    }

    /// Forgets a sink; what it has not read is reported.
    mutating func removeReader(_ sink: String) {
        guard let reader = readers[sink] else { return }
        readers[sink] = nil
        losses.report(reader.removalLoss(sink, held))
        nameReaders()
        removeRead()
    }

    /// Takes the sinks of an earlier run that are not among `sinks`, with what they lose.
    mutating func takeUnknownReaders(except sinks: Set<String>) -> [(sink: String, loss: Loss?)] {
        let unknown = readers.sorted.filter { !sinks.contains($0.key) && !$0.value.isConfigured }
        for (sink, _) in unknown { readers[sink] = nil }
        defer {
            nameReaders()
            removeRead()
        }
        return unknown.map { (sink: $0.key, loss: $0.value.removalLoss($0.key, held)) }
    }

    /// Makes the next append begin a segment when the newest header does not name the current durable sinks: a cursor
    /// that is lost is detected only by it.
    private mutating func nameReaders() {
        let naming = readers.naming
        guard !naming.isCurrent else { return }
        held.segments.seal()
        // A named sink that has no cursor any more would be treated as one whose cursor was lost.
        if naming.isOutdated { openSegment() }
    }

    /// Counts again what waits for every sink.
    func recount() { readers.recount(held) }

    /// The stretch under way, or a new one that is under way from now on; nil: nothing waits.
    mutating func beginStretch(
        for sink: String,
        maxCount: Int,
        maxBytes: Int64
    ) -> (stretch: Stretch, kind: ReaderKind, isNew: Bool)? {
        guard let reader = readers[sink] else { return nil }
        if let stretch = reader.stretch { return (stretch, reader.kind, false) }
        let end = held.stretchEnd(from: reader.next, maxCount: maxCount, maxBytes: maxBytes)
        guard let end else { return nil }
        readers[sink]?.begin(through: end)
        return (Stretch(first: reader.next, last: end), reader.kind, true)
    }

    /// Moves a sink past the stretch under way; nil when it is another.
    mutating func passStretch(_ stretch: Stretch, of sink: String) -> LogReader? {
        guard readers[sink]?.stretch == stretch else { return nil }
        readers[sink]?.pass(stretch)
        if !held.tail.isEmpty { _ = forgetTail(below: readers.next ?? held.nextSequence) }
        readers[sink]?.recount(held)
        return readers[sink]
    }

    // MARK: Damage

    /// Ends a segment before a number that cannot be read, and reports what that loses.
    mutating func markDamaged(segment first: UInt64, from sequence: UInt64, offset: Int64, _ what: String) {
        guard let index = held.segments.index(of: first), sequence < held.segments.all[index].range.end else { return }
        if held.segments.activeFirst == first { held.segments.seal() }
        // The newest segment keeps checkpoints and the assigned numbers: it is not removed without a successor.
        if held.segments.activeFirst == nil, index == held.segments.all.count - 1 { _ = makeSuccessor() }
        guard let index = held.segments.index(of: first) else { return }
        let lost = SequenceRange(first: max(sequence, first), end: held.segments.all[index].range.end)
        folder.failures.note(.spoolDamaged, "\(SpoolFolder.segmentName(first)) at byte \(offset): \(what)")
        held.segments.cut(at: index, before: lost.first, offset)
        space.wasFreed()
        lose(lost, .spoolDamaged, .damaged)
        recount()
    }

    /// Notes that numbers are lost, and reports what the durable sinks lose with them.
    mutating func lose(_ range: SequenceRange, _ reported: LossReason, _ reason: GapRecord.Reason) {
        for loss in readers.losses(of: range, reported) { losses.report(loss) }
        gaps.insert(reason, range)
    }

    /// Takes a removed folder, of which these names are there again, for all that is left: what is open is written
    /// again, the rest is lost and reported.
    mutating func restore(_ names: [String]) {
        held.tail.reopenEndMark()
        held.segments.doubtAll()
        let present = Set(names.compactMap(SpoolFolder.segmentFirst))
        for segment in held.segments.all where !present.contains(segment.summary.first) {
            let first = segment.summary.first
            guard held.segments.openFile(of: first) == nil else { continue }
            markDamaged(segment: first, from: first, offset: 0, "the file is gone")
        }
    }
}
