internal import SondeDomain
internal import SondeEngine

/// The position of every sink, and which of them the newest header names.
struct LogReaders {
    private var known: [String: LogReader]
    private var named: Set<String> = []

    /// The positions that an earlier run left.
    init(_ known: [String: LogReader]) {
        self.known = known
    }

    subscript(sink: String) -> LogReader? {
        get { known[sink] }
        set { known[sink] = newValue }
    }

    /// In no order.
    var all: [String: LogReader].Values { known.values }
    /// By the names of the sinks.
    var sorted: [(key: String, value: LogReader)] { known.sorted { $0.key < $1.key } }
    /// Those of durable sinks, by their names.
    var durable: [(key: String, value: LogReader)] { sorted.filter { $0.value.kind == .durable } }
    /// The number before which all have acknowledged; nil: there is none.
    var next: UInt64? { known.values.map(\.next).min() }

    /// The position of each durable sink, as in its cursor file.
    var places: [SegmentHeader.Place] {
        durable.map { SegmentHeader.Place(sink: $0.key, next: min($0.value.next, $0.value.safeNext)) }
    }

    /// The maximum size of the places in a header.
    var placesBound: Int { known.keys.reduce(0) { $0 &+ SegmentHeader.bound(ofSink: $1) } }

    /// Whether some sink gets this content.
    func isWanted(_ content: SendContent) -> Bool {
        known.values.contains { $0.wants.contains(content) }
    }

    /// Adds what was appended to what waits for each.
    func grow(by count: Int, _ bytes: Int64, at instant: MonotonicInstant) {
        for reader in known.values { reader.figures.grow(by: count, bytes, at: instant) }
    }

    /// Whether the newest header names the current durable sinks, and whether it names one that is not among them.
    var naming: (isCurrent: Bool, isOutdated: Bool) {
        let durable = Set(known.filter { $0.value.kind == .durable }.keys)
        return (named == durable, !named.isSubset(of: durable))
    }

    /// Notes that the newest header has these places.
    mutating func wereNamed(_ places: [SegmentHeader.Place]) { named = Set(places.map(\.sink)) }

    /// Counts again what waits for each.
    func recount(_ contents: LogContents) {
        for reader in known.values { reader.recount(contents) }
    }

    /// What the durable sinks lose with a range of numbers.
    func losses(of range: SequenceRange, _ reason: LossReason) -> [Loss] {
        durable.compactMap { sink, reader in
            let lost = reader.missing(of: range)
            return lost.isEmpty ? nil : Loss(reason, component: sink, count: lost.count)
        }
    }

    /// What the durable sinks lose with an append that can never be taken.
    func losses(of group: AppendGroup) -> [OverflowLoss] {
        durable.compactMap { sink, reader in
            let points = reader.wants.contains(.metrics) ? group.points.map(\.time) : []
            let documents = reader.wants.contains(.snapshots) ? group.documents.map(\.time) : []
            return OverflowLoss(sink, points + documents)
        }
    }

    /// What the durable sinks lose with a segment: the points and documents meant for them; parts that have to be
    /// counted first are left out of it.
    func losses(of segment: LogSegment, _ known: SpoolLosses) -> (losses: [OverflowLoss], uncounted: [SegmentPart]) {
        var losses: [OverflowLoss] = []
        var uncounted: [SegmentPart] = []
        for (sink, reader) in durable {
            let wanted = SpoolFrameDecoder.Wanted(range: reader.missing(of: segment.range), content: reader.wants)
            guard !wanted.range.isEmpty else { continue }
            let part = SegmentPart(segment: segment, wanted: wanted)
            guard let contents = known.contents(of: part) else {
                uncounted.append(part)
                continue
            }
            guard contents.count > 0 else { continue }
            losses.append(
                OverflowLoss(sink: sink, count: contents.count, from: contents.oldest, to: contents.newest))
        }
        return (losses, uncounted)
    }

    /// What the durable sinks lose with a frame in memory.
    func losses(of frame: MemoryTail.Frame) -> [OverflowLoss] {
        durable.compactMap { sink, reader in
            var output = SpoolFrameDecoder.Output()
            frame.read(
                SpoolFrameDecoder.Wanted(range: reader.missing(of: frame.range), content: reader.wants), to: &output)
            return OverflowLoss(sink, output.times)
        }
    }
}
