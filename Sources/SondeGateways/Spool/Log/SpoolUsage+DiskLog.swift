internal import SondeDomain
internal import SondeEngine

extension SpoolUsage {
    /// The size of a log's files and what waits in it.
    init(_ log: DiskLog, maxBytes: Int64) {
        let segments = log.held.segments
        self.init(
            bytes: log.bytes,
            maxBytes: maxBytes,
            quarantineBytes: segments.files.quarantine.bytes,
            segments: segments.all.map { Segment($0, isActive: segments.activeFirst == $0.summary.first) },
            sinks: log.readers.sorted.map { Sink($0.key, $0.value, log.held) }
        )
    }
}

extension SpoolUsage.Segment {
    fileprivate init(_ segment: LogSegment, isActive: Bool) {
        let summary = segment.summary
        self.init(
            first: summary.first,
            stretch: summary.count == 0 ? nil : Stretch(first: summary.first, last: summary.end &- 1),
            points: summary.points,
            bytes: segment.fileBytes,
            created: summary.created,
            oldest: summary.points == 0 ? nil : summary.oldest,
            newest: summary.points == 0 ? nil : summary.newest,
            isActive: isActive
        )
    }
}

extension SpoolUsage.Sink {
    fileprivate init(_ sink: String, _ reader: LogReader, _ contents: LogContents) {
        let waiting = contents.segments.all.filter { $0.summary.end > reader.next && $0.summary.points > 0 }
        self.init(
            id: sink,
            kind: reader.kind,
            next: reader.next,
            stretch: reader.stretch,
            waiting: reader.waiting,
            bytes: waiting.reduce(0) { $0 &+ $1.bytes(from: reader.next) },
            oldest: contents.backlog(from: reader.next).oldest.map(contents.times.wallTime)
        )
    }
}

extension LogSegment {
    /// About how many bytes of its file its numbers from one on take.
    fileprivate func bytes(from next: UInt64) -> Int64 {
        guard next > summary.first else { return fileBytes }
        let part = Double(summary.end &- next) / Double(max(1, summary.count))
        return Int64(Double(fileBytes) * part)
    }
}
