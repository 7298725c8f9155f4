internal import SondeDomain
internal import SondeEngine

/// What the header of each segment repeats, so that it outlives the segments before.
struct LogHeaders {
    let epoch: String
    /// The epochs that the log had before, the newest first.
    private let earlier: [String]
    private let settings: DiskSpoolSettings
    /// The last checkpoint of each source.
    private(set) var checkpoints: [String: [UInt8]]

    /// What the newest header of an earlier run says, under an epoch that may be new.
    init(_ settings: DiskSpoolSettings, _ scan: SegmentScan, epoch: String) {
        self.settings = settings
        self.epoch = epoch
        let known = (scan.epoch.map { [$0] } ?? []) + scan.earlier
        earlier = Array(known.filter { $0 != epoch }.prefix(SegmentHeader.mostEarlier))
        checkpoints = scan.checkpoints
    }

    mutating func keep(_ checkpoint: SpoolCheckpoint?) {
        if let checkpoint { checkpoints[checkpoint.source] = checkpoint.bytes }
    }

    /// The header of the segment that begins with the next number.
    func header(
        _ contents: LogContents,
        _ gaps: [SequenceRange],
        _ places: [SegmentHeader.Place],
        _ resource: Resource
    ) -> SegmentHeader {
        SegmentHeader(
            epoch: epoch,
            summary: SegmentSummary(first: contents.writeSequence, created: contents.times.steadyTime),
            safeEnd: settings.synchronization == .none ? 0 : contents.safeEnd,
            checkpoints: checkpoints,
            gaps: gaps,
            directory: contents.segments.all.suffix(directoryBound).map(\.summary),
            machine: settings.machine,
            earlier: earlier,
            readers: places,
            resource: contents.tail.frames.first?.resource ?? resource
        )
    }

    /// The maximum size of a header after so many segments and gaps, with `checkpoint` among those that it holds.
    func bound(
        segments: Int,
        gaps: Int,
        places: Int,
        _ resource: Resource,
        after checkpoint: SpoolCheckpoint?
    ) -> Int64 {
        let fixed = SegmentHeader.boundWithoutSources(
            gaps: gaps, summaries: min(segments, directoryBound) &+ 1, machine: settings.machine)
        let new = checkpoint.map { SegmentHeader.bound(ofCheckpoint: $0.bytes, of: $0.source) } ?? 0
        let kept = checkpoints.reduce(0) { sum, known in
            known.key == checkpoint?.source ? sum : sum &+ SegmentHeader.bound(ofCheckpoint: known.value, of: known.key)
        }
        return Int64(fixed &+ kept &+ new &+ places &+ SegmentHeader.bound(of: resource))
    }

    /// How many segments a header summarizes; the contents of older ones are read again at a start.
    private var directoryBound: Int {
        Int(clamping: settings.segmentBytes / 8 / Int64(SegmentSummary.length))
    }
}
