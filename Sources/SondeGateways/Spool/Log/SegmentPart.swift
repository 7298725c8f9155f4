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
    let wanted: FrameDecoder.Wanted

    /// The segment's summary: exact for all of its numbers, an upper bound for a part of them.
    var estimate: Contents {
        let summary = segment.summary
        let points = wanted.content.contains(.metrics) ? summary.points : 0
        let documents = wanted.content.contains(.snapshots) ? summary.documents : 0
        let count = min(wanted.range.count, points &+ documents)
        return Contents(count: count, oldest: summary.oldest, newest: summary.newest)
    }

    /// Whether the estimate is exact.
    var isWhole: Bool { wanted.range == segment.summary.range }

    /// Reads what the part holds; the estimate where it cannot be read any more.
    func count(_ paths: SpoolPaths, _ fileSystem: any FileSystem, _ interner: SeriesInterner) -> Contents {
        guard let file = try? fileSystem.open(paths.segment(segment.summary.first), .read) else { return estimate }
        var reader = SegmentReader(file, segment, interner)
        var output = FrameDecoder.Output()
        while true {
            switch reader.next(wanted, to: &output) {
            case .contents, .gap: continue
            case .damaged, .failed: return estimate
            case .end:
                let times = output.points.map(\.time) + output.documents.map(\.time)
                let (oldest, newest) = (estimate.oldest, estimate.newest)
                return Contents(
                    count: UInt64(times.count), oldest: times.min() ?? oldest, newest: times.max() ?? newest)
            }
        }
    }
}

/// What durable sinks lose with segments, as far as it was counted.
struct LossCounts {
    private var known: [SequenceRange: [SendContent: SegmentPart.Contents]] = [:]
    /// Whether parts are counted before they are removed; otherwise their estimates are used.
    var countsParts = true

    /// How much a part holds; nil: it has to be counted first.
    func contents(of part: SegmentPart) -> SegmentPart.Contents? {
        guard !part.isWhole else { return part.estimate }
        return known[part.wanted.range]?[part.wanted.content] ?? (countsParts ? nil : part.estimate)
    }

    /// Takes what was counted.
    mutating func learn(_ part: SegmentPart, _ contents: SegmentPart.Contents) {
        known[part.wanted.range, default: [:]][part.wanted.content] = contents
    }

    /// Forgets what was counted: sinks advance, and it is counted again the next time.
    mutating func forget() {
        known = [:]
        countsParts = true
    }
}
