internal import SondeDomain

/// The bookkeeping of ``MemorySpool``: frames in order and one cursor per sink.
///
/// Not thread-safe.
struct MemoryLog {
    private struct Frame {
        let first: UInt64
        let resource: Resource
        let points: [SpooledPoint]
        let documents: [Document]
        let bytes: Int64
        let appended: MonotonicInstant

        var count: Int { points.count + documents.count }
        var last: UInt64 { first + UInt64(count) - 1 }
    }

    private struct Reader {
        let kind: ReaderKind
        let wants: SendContent
        /// The next number that was not acknowledged yet.
        var next: UInt64
        /// The end of the stretch under way.
        var cutEnd: UInt64?
    }

    // Series are shared and not counted.
    private static let bytesPerPoint: Int64 = 80
    // The frame itself and the heads of its two arrays.
    private static let bytesPerFrame: Int64 = 128

    /// What is appended from now on has in common.
    var resource = Resource()
    private let maxBytes: Int64
    private let overflow: AgentSettings.OverflowPolicy
    private var frames: [Frame] = []
    private var readers: [String: Reader] = [:]
    private var nextSequence: UInt64
    private var bytes: Int64 = 0

    init(maxBytes: Int64, overflow: AgentSettings.OverflowPolicy, first: UInt64) {
        nextSequence = first
        self.maxBytes = maxBytes
        self.overflow = overflow
    }

    mutating func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        // A sink that was reconfigured continues at its cursor.
        let known = readers[sink].flatMap { $0.kind == kind ? $0 : nil }
        readers[sink] = Reader(kind: kind, wants: wants, next: known?.next ?? nextSequence, cutEnd: known?.cutEnd)
    }

    /// Forgets a sink and returns what it had not read.
    mutating func removeReader(_ sink: String) -> Loss? {
        guard let reader = readers.removeValue(forKey: sink) else { return nil }
        defer { forgetRead(by: readers.values) }
        guard reader.kind == .durable else { return nil }
        let losses = frames.compactMap { loss(of: $0, for: sink, reader) }
        guard !losses.isEmpty else { return nil }
        return Loss(
            .sinkRemoved, component: sink, from: losses.map(\.from).min(), to: losses.map(\.to).max(),
            count: losses.reduce(0) { $0 &+ $1.count })
    }

    mutating func append(
        _ points: [SpooledPoint],
        _ documents: [Document],
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        let points = wanted(.metrics) ? points : []
        let documents = wanted(.snapshots) ? documents : []
        let count = points.count + documents.count
        let first = nextSequence
        guard count > 0 else { return (.taken(Stretch(first: first, last: first &- 1)), []) }
        let size = documents.reduce(Self.bytesPerFrame + Int64(points.count) * Self.bytesPerPoint) {
            $0 + Int64($1.json.count)
        }
        var losses: [OverflowLoss] = []
        if bytes + size > maxBytes {
            let durable = readers.values.filter { $0.kind == .durable }
            if !durable.isEmpty { forgetRead(by: durable) }
            // A frame larger than the whole log is taken by an empty one: otherwise it would always be refused.
            let mayDrop = overflow == .dropOldest || durable.isEmpty
            guard mayDrop || frames.isEmpty || bytes + size <= maxBytes else { return (.refused, []) }
            while bytes + size > maxBytes, let dropped = dropOldest() { losses += dropped }
        }
        nextSequence += UInt64(count)
        frames.append(
            Frame(
                first: first, resource: resource, points: points, documents: documents, bytes: size, appended: time))
        bytes += size
        return (.taken(Stretch(first: first, last: nextSequence - 1)), losses)
    }

    func backlog(of sink: String) -> Backlog {
        var backlog = Backlog()
        guard let reader = readers[sink] else { return backlog }
        for frame in frames where frame.last >= reader.next {
            let waiting = Int(frame.last - max(frame.first, reader.next) + 1)
            backlog.count += waiting
            backlog.bytes += frame.bytes * Int64(waiting) / Int64(frame.count)
            if backlog.oldest == nil { backlog.oldest = frame.appended }
        }
        return backlog
    }

    mutating func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        guard var reader = readers[sink] else { return nil }
        if let end = reader.cutEnd { return Stretch(first: reader.next, last: end) }
        guard let end = cutEnd(from: reader.next, maxCount: max(1, maxCount), maxBytes: maxBytes) else { return nil }
        reader.cutEnd = end
        readers[sink] = reader
        return Stretch(first: reader.next, last: end)
    }

    mutating func shorten(for sink: String, to count: Int) -> Stretch? {
        guard var reader = readers[sink], let end = reader.cutEnd else { return nil }
        let wanted = reader.next + UInt64(max(1, count)) - 1
        reader.cutEnd = min(end, wanted)
        readers[sink] = reader
        return Stretch(first: reader.next, last: min(end, wanted))
    }

    func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        read(stretch, readers[sink]?.wants ?? [])
    }

    func read(_ stretch: Stretch, _ wants: SendContent) -> SpoolContents {
        let held = frames.lazy.filter { $0.last >= stretch.first && $0.first <= stretch.last }
        var contents = SpoolContents(resource: held.first?.resource ?? resource, last: stretch.last)
        for frame in held {
            guard frame.resource == contents.resource else {
                contents.last = frame.first - 1
                break
            }
            let from = Int(max(frame.first, stretch.first) - frame.first)
            let to = Int(min(frame.last, stretch.last) - frame.first)
            if wants.contains(.metrics), from < frame.points.count {
                contents.points.append(contentsOf: frame.points[from...min(to, frame.points.count - 1)])
            }
            if wants.contains(.snapshots), to >= frame.points.count {
                contents.documents += frame.documents[max(0, from - frame.points.count)...(to - frame.points.count)]
            }
        }
        return contents
    }

    mutating func acknowledge(_ stretch: Stretch, for sink: String) {
        guard var reader = readers[sink], reader.cutEnd == stretch.last else { return }
        reader.next = stretch.last + 1
        reader.cutEnd = nil
        readers[sink] = reader
        forgetRead(by: readers.values)
    }

    private func wanted(_ content: SendContent) -> Bool {
        readers.values.contains { $0.wants.contains(content) }
    }

    private func cutEnd(from next: UInt64, maxCount: Int, maxBytes: Int64) -> UInt64? {
        var end: UInt64?
        var count = 0
        var size: Int64 = 0
        var resource: Resource?
        for frame in frames where frame.last >= next {
            if let resource, frame.resource != resource { break }
            resource = frame.resource
            let first = max(frame.first, next)
            let waiting = Int(frame.last - first + 1)
            let perNumber = max(1, frame.bytes / Int64(frame.count))
            let room = min(maxCount - count, Int(clamping: max(0, maxBytes - size) / perNumber))
            // A batch holds at least one number, whatever its size.
            let taken = min(waiting, count == 0 ? max(1, room) : room)
            guard taken > 0 else { break }
            end = first + UInt64(taken) - 1
            count += taken
            size += Int64(taken) * perNumber
            guard taken == waiting else { break }
        }
        return end
    }

    /// Drops what these readers have passed; the rest is kept as long as there is room, for live sinks too.
    private mutating func forgetRead(by readers: some Sequence<Reader>) {
        let keep = readers.lazy.map(\.next).min() ?? nextSequence
        let count = frames.prefix { $0.last < keep }.count
        guard count > 0 else { return }
        bytes -= frames[..<count].reduce(0) { $0 + $1.bytes }
        frames.removeFirst(count)
    }

    // Cursors do not move: overflow is left out of a stretch's body, not out of the stretch. A stretch under way
    // keeps its frames, since it may be cut in halves and read again; its worker holds them in memory anyway.
    private mutating func dropOldest() -> [OverflowLoss]? {
        guard let index = frames.firstIndex(where: { !isUnderWay($0) }) else { return nil }
        let frame = frames.remove(at: index)
        bytes -= frame.bytes
        var losses: [OverflowLoss] = []
        for (sink, reader) in readers where reader.kind == .durable {
            if let loss = loss(of: frame, for: sink, reader) { losses.append(loss) }
        }
        return losses.sorted { $0.sink < $1.sink }
    }

    private func isUnderWay(_ frame: Frame) -> Bool {
        readers.values.contains { reader in
            guard reader.kind == .durable, let end = reader.cutEnd else { return false }
            return frame.last >= reader.next && frame.first <= end
        }
    }

    /// What a durable sink loses with a frame: the points and documents that it was to get.
    private func loss(of frame: Frame, for sink: String, _ reader: Reader) -> OverflowLoss? {
        let firstLost = max(frame.first, reader.next)
        guard firstLost <= frame.last else { return nil }
        let from = Int(firstLost - frame.first)
        let points = reader.wants.contains(.metrics) ? frame.points.dropFirst(from).map(\.time) : []
        let passed = max(0, from - frame.points.count)
        let documents = reader.wants.contains(.snapshots) ? frame.documents.dropFirst(passed).map(\.time) : []
        let lost = points + documents
        guard let oldest = lost.min(), let newest = lost.max() else { return nil }
        return OverflowLoss(sink: sink, count: UInt64(lost.count), from: oldest, to: newest)
    }
}
