internal import SondeDomain
internal import SondeEngine

/// The part of a segment that a sink loses with it; its exact size is known only from the frames.
///
/// Reading them takes as long as the disk does: it is done without the log's lock.
struct SegmentPart {
    /// What a part holds.
    struct Contents {
        var count: UInt64
        var oldest: Timestamp
        var newest: Timestamp
    }

    let segment: LogSegment
    let wanted: SpoolFrameDecoder.Wanted

    /// The segment's summary: exact for all of its numbers, an upper bound for a part of them.
    var estimate: Contents {
        let summary = segment.summary
        let points = wanted.content.contains(.metrics) ? summary.points : 0
        let documents = wanted.content.contains(.snapshots) ? summary.documents : 0
        let count = min(wanted.range.count, points &+ documents)
        return Contents(count: count, oldest: summary.oldest, newest: summary.newest)
    }

    /// Whether the estimate is exact.
    var isWhole: Bool { wanted.range == segment.range }

    /// Reads what the part holds; the estimate where it cannot be read any more.
    func count(_ folder: SpoolFolder) -> Contents {
        guard let file = try? folder.open(segment.summary.first) else { return estimate }
        var reader = SegmentReader(file, segment, folder.interner)
        var output = SpoolFrameDecoder.Output()
        while true {
            switch reader.next(wanted, to: &output) {
            case .contents, .gap: continue
            case .damaged, .failed: return estimate
            case .end:
                let times = output.times
                let (oldest, newest) = (estimate.oldest, estimate.newest)
                return Contents(
                    count: UInt64(times.count), oldest: times.min() ?? oldest, newest: times.max() ?? newest)
            }
        }
    }
}

/// What sinks lose: what waits to be reported, and what was counted of segments that are about to be dropped.
struct SpoolLosses {
    private var waiting: [Loss] = []
    private var counted: [SequenceRange: [SendContent: SegmentPart.Contents]] = [:]
    // Whether parts are counted before they are removed; otherwise their estimates are used.
    private var countsParts = true

    /// Whether nothing waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// Takes what waits.
    mutating func take() -> [Loss] {
        defer { waiting.removeAll() }
        return waiting
    }

    mutating func report(_ loss: Loss?) {
        if let loss { waiting.append(loss) }
    }

    mutating func report(_ reason: LossReason, _ losses: [OverflowLoss]) {
        for loss in losses {
            report(Loss(reason, component: loss.sink, from: loss.from, to: loss.to, count: loss.count))
        }
    }

    /// How much a part holds; nil: it has to be counted first.
    func contents(of part: SegmentPart) -> SegmentPart.Contents? {
        guard !part.isWhole else { return part.estimate }
        return counted[part.wanted.range]?[part.wanted.content] ?? (countsParts ? nil : part.estimate)
    }

    /// Takes what was counted; where sinks have advanced meanwhile, the estimates are used.
    mutating func learn(_ parts: [(part: SegmentPart, contents: SegmentPart.Contents)]) {
        for (part, contents) in parts { counted[part.wanted.range, default: [:]][part.wanted.content] = contents }
        countsParts = false
    }

    /// Forgets what was counted: sinks advance, and it is counted again the next time.
    mutating func forgetCounts() {
        counted = [:]
        countsParts = true
    }
}

extension OverflowLoss {
    /// The loss of what has these times; nil: of nothing.
    init?(_ sink: String, _ times: [Timestamp]) {
        guard let oldest = times.min(), let newest = times.max() else { return nil }
        self.init(sink: sink, count: UInt64(times.count), from: oldest, to: newest)
    }
}

extension [OverflowLoss] {
    /// Adds losses; one for each sink stays.
    mutating func merge(_ more: [OverflowLoss]) {
        for loss in more {
            guard let index = firstIndex(where: { $0.sink == loss.sink }) else {
                append(loss)
                continue
            }
            self[index].count &+= loss.count
            self[index].from = Swift.min(self[index].from, loss.from)
            self[index].to = Swift.max(self[index].to, loss.to)
        }
        sort { $0.sink < $1.sink }
    }
}
