internal import SondeDomain
internal import SondeEngine

/// The segments on disk, in order: the last is written to, some before it wait for a sync, and sinks read all of them.
///
/// Calls the file system to make, write, cut and remove files; never to sync them.
struct SegmentStore {
    /// The bounds of how many series that have ended a segment keeps; about 4 MiB of definitions in memory at most.
    ///
    /// As many as are open: up to the upper bound a further segment defines no more again than it releases.
    static let endedPerSegment = 1024...8192
    // Some ten thousand series.
    private static let mostCarried: Int64 = 1 << 20
    // One large frame does not keep its memory.
    private static let keptFrame = 1 << 20

    private let folder: SpoolFolder

    /// All of them, in order.
    private(set) var all: [LogSegment]
    /// The size of their files.
    private(set) var bytes: Int64
    private(set) var files: SegmentFiles
    private(set) var directoryIsDirty = false
    private var active: SegmentWriter?
    /// Segments that are full and were not synced yet, in order.
    private var sealed: [SegmentWriter] = []
    /// The newest segment whose header and name survive a power cut; those before it may be removed.
    private var anchor: UInt64?
    /// The series of the segment that is written to, or of the last; one for all, so that a segment takes no memory of its own.
    private var encoder = SpoolFrameEncoder()
    /// The frame that is written next, and how many series the segment had defined before it.
    private var frame = ByteWriter()
    private var knownSeries = 0

    /// The segments that an earlier run left, and the series that had not ended in the newest.
    init(_ folder: SpoolFolder, _ segments: [LogSegment], unended: [Series]) {
        self.folder = folder
        all = segments
        bytes = segments.reduce(0) { $0 &+ $1.fileBytes }
        files = SegmentFiles(folder)
        encoder.begin(with: unended)
    }

    // MARK: What there is

    /// The size of all files, also of what was set aside, or could not be removed.
    var allBytes: Int64 { bytes &+ files.quarantine.bytes &+ files.strayBytes }

    func index(of first: UInt64) -> Int? { all.firstIndex { $0.summary.first == first } }

    /// Those that hold a part of a range, in order, with the file of each that is open.
    func within(_ range: SequenceRange) -> [(segment: LogSegment, file: (any OpenFile)?)] {
        all.filter { !$0.range.overlap(range).isEmpty }.map { ($0, openFile(of: $0.summary.first)) }
    }

    /// The first number of the segment that is written to; nil: none is.
    var activeFirst: UInt64? { active?.first }

    /// The open file of a segment, if it is open.
    func openFile(of first: UInt64) -> (any OpenFile)? {
        if let active, active.first == first { return active.file }
        return sealed.first { $0.first == first }?.file
    }

    /// A segment's file for writing, opened unless it is open; nil when it cannot be opened.
    func writableFile(of first: UInt64) -> (any OpenFile)? {
        openFile(of: first) ?? (try? folder.open(first, .update))
    }

    /// How much was written that may be lost in a power cut.
    var unsafeBytes: Int64 {
        folder.isSynced ? sealed.reduce(active?.unsafeLength ?? 0) { $0 &+ $1.unsafeLength } : 0
    }

    /// Every number below survives a power cut; nil: all that was written.
    var safeEnd: UInt64? {
        for writer in sealed where !writer.isSafe { return writer.safeEnd }
        guard let active, !active.isSafe else { return nil }
        return active.safeEnd
    }

    /// Whether a segment may be removed: what must outlive it, mainly checkpoints, is in the header of one that stays.
    func isExpendable(_ segment: LogSegment) -> Bool {
        guard segment.summary.first != active?.first else { return false }
        guard folder.isSynced else { return active != nil }
        return anchor.map { segment.summary.first < $0 } ?? false
    }

    /// The maximum size of the frame that a next segment begins with.
    var carriedLength: Int64 {
        let definitions = min(encoder.definitionBound, carryBound)
        return definitions == 0 ? 0 : definitions &+ Int64(Frame.headLength) &+ 16
    }

    /// The series that had not ended when the last segment was.
    var unended: [Series] { encoder.unended }

    private var carryBound: Int64 { min(folder.settings.segmentBytes / 4, Self.mostCarried) }

    // MARK: Writing

    /// Whether the last segment, or one that is made, may take a number of a resource.
    func continues(at first: UInt64, _ resource: Resource) -> Bool {
        guard let index = all.indices.last else { return true }
        return all[index].summary.end == first && all[index].resource == resource
    }

    /// Encodes a frame that the segment that is written to may get, after the gaps that it is to record.
    mutating func encode(_ group: AppendGroup, at first: UInt64, _ gaps: [GapRecord]) -> FrameContents {
        frame.truncate(to: 0)
        knownSeries = encoder.series.count
        for gap in gaps { Frame.write(Frame.Kind.gap, first, to: &frame) { gap.write(to: &$0) } }
        if group.count == 0, let checkpoint = group.checkpoint {
            Frame.write(Frame.Kind.checkpoint, first, to: &frame) { writer in
                writer.append(text: checkpoint.source)
                writer.append(counted: checkpoint.bytes)
            }
            return FrameContents()
        }
        guard active != nil else { return FrameContents() }
        return encoder.encode(group.points, group.documents, group.checkpoint, first: first, to: &frame)
    }

    /// How long the frame is.
    var frameLength: Int64 { Int64(frame.count) }

    /// How much the segment that is written to holds.
    var activeLength: Int64 {
        guard let length = active?.length, let empty = active?.emptyLength else { return 0 }
        return length &- empty
    }

    /// Whether the frame defines series in a segment of which enough have ended.
    ///
    /// Writer and readers keep every series of a segment: if series change often, a large segment would hold many that
    /// have ended. Those that are open are bounded by their sources, and a further segment would define them again.
    var definesTooMany: Bool {
        guard active != nil else { return false }
        let (ended, bounds) = (encoder.endedCount, Self.endedPerSegment)
        let most = min(max(encoder.series.count - ended, bounds.lowerBound), bounds.upperBound)
        return ended >= most && encoder.series.count > knownSeries
    }

    /// Gives up the frame.
    mutating func dropFrame() {
        encoder.forget(after: knownSeries)
        frame.shrink(to: Self.keptFrame)
    }

    /// Writes the frame at the end of the segment; where that fails, the segment is as it was, or ended.
    mutating func writeFrame(_ points: [SpooledPoint], _ contents: FrameContents) throws(FileSystemError) {
        guard let file = active?.file, let length = active?.length, let index = all.indices.last else { return }
        do throws(FileSystemError) {
            try frame.withBytes { bytes throws(FileSystemError) in try file.writeWhole(bytes, at: length) }
        } catch {
            folder.failures.note(error, "a write failed")
            dropFrame()
            if (try? file.truncate(to: length)) == nil || !error.isOutOfSpace { seal() }
            throw error
        }
        let isKept = folder.isSynced
        frame.withBytes { active?.grew(by: $0, isKept: isKept) }
        for series in encoder.series[knownSeries...] { folder.interner.register(series) }
        encoder.wrote(points, contents)
        all[index].summary.add(contents)
        all[index].summary.bytes &+= frameLength
        all[index].fileBytes &+= frameLength
        bytes &+= frameLength
        frame.shrink(to: Self.keptFrame)
    }

    // MARK: Making and ending

    /// Makes the segment that is written to from now on, without checking for room.
    mutating func open(
        _ header: SegmentHeader,
        _ headerBytes: [UInt8],
        at instant: MonotonicInstant,
        _ prepare: SegmentFiles.Preparation
    ) throws(FileSystemError) {
        var summary = header.summary
        let carried = encoder.carried(bound: carryBound)
        var definitions = ByteWriter()
        SpoolFrameEncoder.define(carried, first: summary.first, to: &definitions)
        let contents = headerBytes + definitions.bytes
        let file = try files.make(summary.first, contents, prepare)
        seal()
        forgetEmpty(summary.first)
        summary.bytes = Int64(contents.count)
        all.append(
            LogSegment(
                summary: summary, resource: header.resource, headerLength: Int64(headerBytes.count),
                fileBytes: summary.bytes, appended: instant))
        bytes &+= summary.bytes
        directoryIsDirty = true
        encoder.begin(with: carried)
        knownSeries = encoder.series.count
        folder.interner.beginSegment()
        for series in carried { folder.interner.register(series) }
        active = SegmentWriter(first: summary.first, file: file, length: summary.bytes, pending: contents)
    }

    /// Forgets a segment without contents: it has the name of the next, which has replaced its file.
    private mutating func forgetEmpty(_ first: UInt64) {
        guard let last = all.last, last.summary.first == first else { return }
        sealed.removeAll { $0.first == first }
        bytes &-= all.removeLast().fileBytes
    }

    /// Ends the segment that is written to.
    mutating func seal() {
        guard let writer = close() else { return }
        if folder.isSynced, !writer.isSafe { sealed.append(writer) }
    }

    private mutating func close() -> SegmentWriter? {
        guard let writer = active else { return nil }
        active = nil
        return writer
    }

    // MARK: Removing and cutting

    /// Removes a segment and its file.
    mutating func remove(at index: Int) {
        let segment = all.remove(at: index)
        let first = segment.summary.first
        bytes &-= segment.fileBytes
        sealed.removeAll { $0.first == first }
        if active?.first == first { _ = close() }
        if anchor == first { anchor = nil }
        files.remove(first, segment.fileBytes)
    }

    /// Ends a segment before a number, whose frame is at an offset; one without any other number is removed.
    mutating func cut(at index: Int, before number: UInt64, _ offset: Int64) {
        cutFile(of: all[index].summary.first, at: offset)
        guard number > all[index].summary.first else { return remove(at: index) }
        all[index].summary.end = number
        all[index].summary.points = min(all[index].summary.points, all[index].summary.count)
        all[index].summary.bytes = offset
    }

    private mutating func cutFile(of first: UInt64, at offset: Int64) {
        guard files.cut(first, openFile(of: first), at: offset) else { return }
        for place in sealed.indices where sealed[place].first == first { sealed[place].wasCut(to: offset) }
        guard let index = index(of: first) else { return }
        bytes &-= all[index].fileBytes &- offset
        all[index].fileBytes = offset
    }

    /// Performs repairs that a scan has found.
    mutating func repair(_ repairs: [SegmentRepair]) {
        // The new segment has replaced a file of its name, which held nothing.
        for repair in repairs where repair.first != active?.first {
            switch repair {
            case .cut(let first, let offset): cutFile(of: first, at: offset)
            case .discard(let first): files.discard(first)
            case .setAside(let first, let size): files.setAside(first, size: size, as: "0")
            case .remove(let first): files.remove(first, 0)
            }
        }
        // A removed file must not reappear under numbers that are assigned again.
        if !repairs.isEmpty { directoryIsDirty = true }
    }

    /// Forgets all that an earlier run left, before the first is made; their files stay until ``setAside(_:)``.
    mutating func disown() -> [LogSegment] {
        defer {
            (all, bytes) = ([], 0)
            encoder.begin(with: [])
        }
        return all
    }

    /// Moves segments of another machine to the quarantine.
    mutating func setAside(_ foreign: [LogSegment]) {
        for segment in foreign where segment.summary.first != active?.first {
            files.setAside(segment.summary.first, size: segment.fileBytes, as: "foreign")
        }
        if !foreign.isEmpty { directoryIsDirty = true }
    }

    // MARK: Syncing

    /// Makes the next sync include the directory.
    mutating func markDirectory() { directoryIsDirty = true }

    /// What is to be synced now; nil: nothing.
    mutating func beginSync() -> SyncPlan? {
        var plan = SyncPlan()
        for writer in sealed + (active.map { [$0] } ?? []) where !writer.isSafe {
            if writer.isInDoubt {
                plan.rewrites.append(writer)
            } else if let index = index(of: writer.first) {
                plan.items.append(
                    SyncPlan.Item(
                        first: writer.first, file: writer.file, length: writer.length, end: all[index].summary.end))
            }
        }
        plan.syncsDirectory = directoryIsDirty
        directoryIsDirty = false
        guard plan.isEmpty else { return plan }
        folder.failures.recovered(from: .spoolWriteFailed)
        return nil
    }

    /// Notes what came of a sync; what failed has to be written again, to another file.
    mutating func finishSync(_ outcome: SyncPlan.Outcome) {
        for item in outcome.failed {
            if active?.file === item.file { seal() }
            for index in sealed.indices where sealed[index].file === item.file { sealed[index].isInDoubt = true }
        }
        for writer in outcome.rewritten {
            sealed.removeAll { $0.first == writer.first }
            guard index(of: writer.first) == nil else {
                setAnchor(writer.first)
                continue
            }
            // It was dropped meanwhile: under the name of the copy it would reappear at the next start.
            files.remove(writer.first, 0)
            directoryIsDirty = true
        }
        // A file without a name does not survive.
        directoryIsDirty = directoryIsDirty || outcome.isDirectoryUnsafe
        guard !outcome.isDirectoryUnsafe else { return }
        for item in outcome.synced {
            if active?.file === item.file { active?.becameSafe(length: item.length, end: item.end) }
            for index in sealed.indices where sealed[index].file === item.file {
                sealed[index].becameSafe(length: item.length, end: item.end)
            }
            sealed.removeAll { $0.isSafe }
            setAnchor(item.first)
        }
    }

    private mutating func setAnchor(_ first: UInt64) {
        if index(of: first) != nil { anchor = max(anchor ?? 0, first) }
    }

    /// Makes every open segment one that has to be written again, since their names are gone.
    mutating func doubtAll() {
        if let open = close() {
            if let last = all.last, last.summary.count > 0 { sealed.append(open) } else { remove(at: all.count - 1) }
        }
        for index in sealed.indices { sealed[index].isInDoubt = true }
        anchor = nil
    }

    /// Lets the next sync include what an earlier run may not have synced, from a number on.
    ///
    /// A killed process leaves such writes: they are read, and may still be lost in a power cut. Returns the segments
    /// whose files cannot be opened: what cannot be synced may not be offered.
    mutating func doubtLeftovers(from safeEnd: UInt64) -> [(first: UInt64, error: FileSystemError)] {
        directoryIsDirty = true
        var leftovers: [SegmentWriter] = []
        var failed: [(first: UInt64, error: FileSystemError)] = []
        for segment in all where segment.summary.end > safeEnd && segment.summary.first != active?.first {
            let first = segment.summary.first
            do throws(FileSystemError) {
                let file = try folder.open(first, .update)
                leftovers.append(
                    SegmentWriter(first: first, file: file, length: segment.fileBytes, pending: nil))
            } catch {
                failed.append((first, error))
            }
        }
        sealed = leftovers + sealed
        return failed
    }
}
