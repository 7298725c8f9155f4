internal import SondeDomain
public import SondeEngine
internal import Synchronization

extension DiskSpool {
    /// The size of the files and what waits.
    public func usage() -> SpoolUsage? {
        log.withLock { log in
            SpoolUsage(
                bytes: log.bytes,
                maxBytes: settings.maxBytes,
                quarantineBytes: log.quarantine.bytes,
                segments: log.segments.map { Self.segment($0, isActive: log.active?.first == $0.summary.first) },
                sinks: log.readers.map { log.usage(of: $0.key, $0.value) }.sorted { $0.id < $1.id }
            )
        }
    }

    private static func segment(_ segment: LogSegment, isActive: Bool) -> SpoolUsage.Segment {
        let summary = segment.summary
        return SpoolUsage.Segment(
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

extension DiskLog {
    /// What waits for a sink.
    fileprivate func usage(of sink: String, _ reader: LogReader) -> SpoolUsage.Sink {
        let waiting = segments.filter { $0.summary.end > reader.next && $0.summary.points > 0 }
        return SpoolUsage.Sink(
            id: sink,
            kind: reader.kind,
            next: reader.next,
            stretch: reader.stretch,
            waiting: reader.waiting,
            bytes: waiting.reduce(0) { $0 &+ Self.bytes(of: $1, from: reader.next) },
            oldest: backlog(of: reader).oldest.map { ClockReading(clock).wallTime(of: $0) }
        )
    }

    private static func bytes(of segment: LogSegment, from next: UInt64) -> Int64 {
        let summary = segment.summary
        guard next > summary.first else { return segment.fileBytes }
        let part = Double(summary.end &- next) / Double(max(1, summary.count))
        return Int64(Double(segment.fileBytes) * part)
    }
}
