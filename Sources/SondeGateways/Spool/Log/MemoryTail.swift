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

/// The end of the log that its file system has no room for: frames in memory, in order, within a bound, and the file
/// that says how far their numbers go.
struct MemoryTail {
    /// One append.
    struct Frame: LogRun {
        let first: UInt64
        let group: AppendGroup
        let contents: FrameContents
        let bytes: Int64

        var range: SequenceRange { SequenceRange(first: first, end: first &+ UInt64(group.count)) }
        var resource: Resource { group.resource }
        var weightPerNumber: Int64 { max(1, contents.weight / Int64(max(1, group.count))) }

        /// Adds what is wanted of it to `output`.
        func read(_ wanted: SpoolFrameDecoder.Wanted, to output: inout SpoolFrameDecoder.Output) {
            let part = range.overlap(wanted.range)
            guard !part.isEmpty else { return }
            let (from, to) = (Int(part.first &- first), Int(part.end &- first))
            let points = group.points
            if wanted.content.contains(.metrics) {
                output.points.append(contentsOf: points[min(from, points.count)..<min(to, points.count)])
            }
            if wanted.content.contains(.snapshots), to > points.count {
                output.documents += group.documents[max(0, from - points.count)..<(to - points.count)]
            }
        }
    }

    // The frame itself and the heads of its arrays.
    private static let frameBytes: Int64 = 160

    // Many frames are taken away one by one: those before `head` are gone.
    private static let compactedFrom = 64

    private let folder: SpoolFolder
    private let epoch: String
    private var storage: [Frame] = []
    private var head = 0
    private var bytes: Int64 = 0
    /// Nil where it could not be made.
    private(set) var endMark: EndMark?
    /// Whether it has the end of numbers of this epoch, synced as configured.
    private var endIsMarked = false
    /// Whether a segment of this epoch was ever made: otherwise no later start has it.
    private(set) var epochIsOnDisk: Bool

    /// Nothing; `endMark` is that of an earlier run.
    init(_ folder: SpoolFolder, epoch: String, epochIsOnDisk: Bool, _ endMark: EndMark?) {
        self.folder = folder
        self.epoch = epoch
        self.epochIsOnDisk = epochIsOnDisk
        self.endMark = endMark
    }

    /// What is held, in order.
    var frames: ArraySlice<Frame> { storage[head...] }
    var isEmpty: Bool { head == storage.count }
    /// The number that the first frame begins with.
    var first: UInt64? { frames.first?.first }

    /// Takes an append under the numbers from `first` on, once the disk has the end of them; nil when there is no room.
    mutating func take(_ group: AppendGroup, first: UInt64) throws(FileSystemError) -> FrameContents? {
        var contents = FrameContents()
        for point in group.points { contents.addPoint(point.time) }
        for document in group.documents { contents.addDocument(bytes: document.json.count, document.time) }
        let size = Self.frameBytes &+ contents.weight &+ Int64(group.checkpoint?.bytes.count ?? 0)
        guard bytes &+ size <= folder.settings.memoryBytes else { return nil }
        if endMark == nil { endMark = try makeEndMark() }
        try endMark?.write(EndMark.End(epoch: epoch, end: first &+ UInt64(group.count)))
        storage.append(Frame(first: first, group: group, contents: contents, bytes: size))
        bytes &+= size
        return contents
    }

    /// The mark; nil where there is no room for it and the disk does not have the epoch: no later start continues its numbers.
    private func makeEndMark() throws(FileSystemError) -> EndMark? {
        do throws(FileSystemError) {
            return try EndMark(folder.end, folder.fileSystem)
        } catch {
            guard error.isOutOfSpace, !epochIsOnDisk else { throw error }
            return nil
        }
    }

    /// Makes the mark of the end of assigned numbers, before the disk first has the epoch that they were assigned in.
    mutating func requireEndMark(_ end: UInt64) throws(FileSystemError) {
        guard !endIsMarked, !epochIsOnDisk, end > 1 else { return }
        let mark = if let endMark { endMark } else { try EndMark(folder.end, folder.fileSystem) }
        try mark.write(EndMark.End(epoch: epoch, end: end))
        if folder.isSynced { try mark.sync() }
        endMark = mark
        endIsMarked = true
    }

    /// Makes the mark's file again.
    mutating func reopenEndMark() { endMark = try? EndMark(folder.end, folder.fileSystem) }

    /// Notes that a segment of the epoch was made.
    mutating func epochWasWritten() { epochIsOnDisk = true }

    /// Takes the first frame away.
    @discardableResult
    mutating func removeFirst() -> Frame? {
        guard let first = frames.first else { return nil }
        bytes &-= first.bytes
        head += 1
        if head >= Self.compactedFrom, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return first
    }

    /// Takes one frame away.
    mutating func remove(at index: Int) -> Frame {
        bytes &-= storage[index].bytes
        return storage.remove(at: index)
    }

    /// When the first number from `next` on was appended.
    func oldest(from next: UInt64) -> MonotonicInstant? {
        frames.first { $0.range.end > next }?.group.instant
    }

    /// Adds what is wanted of a range to `output`.
    func read(_ wanted: SpoolFrameDecoder.Wanted, to output: inout SpoolFrameDecoder.Output) {
        for frame in frames { frame.read(wanted, to: &output) }
    }
}
