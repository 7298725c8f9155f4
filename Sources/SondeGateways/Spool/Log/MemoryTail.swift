internal import SondeDomain
internal import SondeEngine

/// The end of the log that its file system has no room for: frames in memory, in order, within a bound.
struct MemoryTail {
    /// One append.
    struct Frame {
        let first: UInt64
        let group: AppendGroup
        let contents: FrameContents
        let bytes: Int64

        var range: SequenceRange { SequenceRange(first: first, end: first &+ UInt64(group.count)) }

        /// What a sink loses with it.
        func loss(of wanted: FrameDecoder.Wanted, for sink: String) -> OverflowLoss? {
            var output = FrameDecoder.Output()
            read(wanted, to: &output)
            let times = output.points.map(\.time) + output.documents.map(\.time)
            guard let oldest = times.min(), let newest = times.max() else { return nil }
            return OverflowLoss(sink: sink, count: UInt64(times.count), from: oldest, to: newest)
        }
    }

    // The frame itself and the heads of its arrays.
    private static let frameBytes: Int64 = 160

    // Many frames are taken away one by one: those before `head` are gone.
    private static let compactedFrom = 64

    private let bound: Int64
    private var storage: [Frame] = []
    private var head = 0
    private(set) var bytes: Int64 = 0

    /// What is held, in order.
    var frames: ArraySlice<Frame> { storage[head...] }

    /// Nothing, of at most about so many bytes.
    init(bound: Int64) {
        self.bound = bound
    }

    var isEmpty: Bool { frames.isEmpty }
    /// The number that the first frame begins with.
    var first: UInt64? { frames.first?.first }

    /// Takes an append under the numbers from `first` on; nil when there is no room.
    mutating func take(_ group: AppendGroup, first: UInt64) -> FrameContents? {
        var contents = FrameContents()
        for point in group.points { contents.addPoint(point.time) }
        for document in group.documents { contents.addDocument(bytes: document.json.count, document.time) }
        let size = Self.frameBytes &+ contents.weight &+ Int64(group.checkpoint?.bytes.count ?? 0)
        guard bytes &+ size <= bound else { return nil }
        storage.append(Frame(first: first, group: group, contents: contents, bytes: size))
        bytes &+= size
        return contents
    }

    /// Takes the first frame away.
    mutating func removeFirst() {
        guard let first = frames.first else { return }
        bytes &-= first.bytes
        head += 1
        guard head >= Self.compactedFrom, head * 2 > storage.count else { return }
        storage.removeFirst(head)
        head = 0
    }

    /// Takes the last frame away again.
    mutating func removeLast() {
        if head < storage.count { bytes &-= storage.removeLast().bytes }
    }

    /// Takes one frame away.
    mutating func remove(at index: Int) -> Frame {
        bytes &-= storage[index].bytes
        return storage.remove(at: index)
    }

    /// The end of a stretch from `next` of at most so many numbers and about so many bytes; nil: nothing waits.
    func cutEnd(from next: UInt64, maxCount: Int, maxBytes: Int64) -> UInt64? {
        var end: UInt64?
        var (count, size) = (0, Int64(0))
        var resource: Resource?
        for frame in frames where frame.range.end > next && frame.group.count > 0 {
            if let resource, frame.group.resource != resource { break }
            resource = frame.group.resource
            let first = max(frame.first, next)
            let waiting = Int(clamping: frame.range.end &- first)
            let perNumber = max(1, frame.contents.weight / Int64(frame.group.count))
            let room = min(max(1, maxCount) - count, Int(clamping: max(0, maxBytes &- size) / perNumber))
            // A batch holds at least one number, whatever its size.
            let taken = min(waiting, count == 0 ? max(1, room) : room)
            guard taken > 0 else { break }
            end = first &+ UInt64(taken) &- 1
            count += taken
            size &+= Int64(taken) &* perNumber
            guard taken == waiting else { break }
        }
        return end
    }

    /// How many numbers wait from `next` on, and about what they take in memory.
    func waiting(from next: UInt64) -> (count: UInt64, weight: Int64) {
        var (count, weight) = (UInt64(0), Int64(0))
        for frame in frames.reversed() {
            guard frame.range.end > next else { break }
            let waiting = frame.range.end &- max(frame.first, next)
            count &+= waiting
            weight &+= frame.contents.weight / Int64(max(1, frame.group.count)) &* Int64(clamping: waiting)
        }
        return (count, weight)
    }

    /// When the first number from `next` on was appended.
    func oldest(from next: UInt64) -> MonotonicInstant? {
        frames.first { $0.range.end > next }?.group.instant
    }

    /// Adds what is wanted of a range to `output`.
    func read(_ wanted: FrameDecoder.Wanted, to output: inout FrameDecoder.Output) {
        for frame in frames { frame.read(wanted, to: &output) }
    }
}

extension MemoryTail.Frame {
    /// Adds what is wanted of it to `output`.
    fileprivate func read(_ wanted: FrameDecoder.Wanted, to output: inout FrameDecoder.Output) {
        let part = range.overlap(wanted.range)
        guard !part.isEmpty else { return }
        let (from, to) = (Int(part.first &- first), Int(part.end &- first))
        let points = group.points
        if wanted.content.contains(.metrics) {
            output.points += points[min(from, points.count)..<min(to, points.count)]
        }
        if wanted.content.contains(.snapshots), to > points.count {
            output.documents += group.documents[max(0, from - points.count)..<(to - points.count)]
        }
    }
}
