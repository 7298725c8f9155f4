internal import SondeDomain
public import SondeEngine
internal import Synchronization

extension DiskSpool {
    /// The points and documents of a stretch in order, up to where another resource begins.
    ///
    /// Holds the sink's lock while it reads, never the log's. What cannot be read is left out, set aside and
    /// reported by ``takeLosses()``.
    public func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        let contents = handle(of: sink)?.place.withLock { place -> SpoolContents? in
            guard let reader = log.withLock({ $0.readers[sink] }) else { return nil }
            let range = SequenceRange(first: stretch.first, end: stretch.last &+ 1)
            return read(FrameDecoder.Wanted(range: range, content: reader.wants), &place)
        }
        return contents.flatMap(\.self) ?? SpoolContents(resource: resource, last: stretch.last)
    }

    /// The points and documents of a range, for any sink: to show the contents of the spool.
    public func contents(from first: UInt64, count: Int) -> SpoolContents {
        let (end, overflow) = first.addingReportingOverflow(UInt64(clamping: count))
        let range = SequenceRange(first: first, end: overflow ? .max : end)
        var place = SinkPlace()
        return read(FrameDecoder.Wanted(range: range, content: [.metrics, .snapshots]), &place)
    }

    private func read(_ asked: FrameDecoder.Wanted, _ place: inout SinkPlace) -> SpoolContents {
        var output = FrameDecoder.Output()
        // Under one lock: what memory holds may be written to the disk meanwhile.
        let (resource, wanted, segments, held) = log.withLock { log in
            var (held, wanted) = (FrameDecoder.Output(), asked)
            let (resource, end) = log.resource(in: asked.range)
            wanted.range.end = end
            log.tail.read(wanted, to: &held)
            let segments = log.segments(in: wanted.range).map { ($0, log.openFile(ofSegment: $0.summary.first)) }
            return (resource, wanted, segments, held)
        }
        for (segment, openFile) in segments {
            read(segment, place.files[segment.summary.first] ?? openFile, wanted, &place, to: &output)
        }
        output.points += held.points
        output.documents += held.documents
        return SpoolContents(
            resource: resource, last: wanted.range.end &- 1, points: output.points, documents: output.documents)
    }

    private func read(
        _ segment: LogSegment,
        _ openFile: (any OpenFile)?,
        _ wanted: FrameDecoder.Wanted,
        _ place: inout SinkPlace,
        to output: inout FrameDecoder.Output
    ) {
        let first = segment.summary.first
        do throws(FileSystemError) {
            let file = try openSegment(first, openFile)
            var reader = makeReader(file, segment, wanted, &place)
            if let flaw = read(wanted, segment, &reader, &place, to: &output) {
                let (sequence, offset) = (reader.sequence, reader.offset)
                log.withLock { $0.markDamaged(segment: first, from: sequence, offset: offset, flaw) }
                place.segment = nil
            }
        } catch {
            log.withLock { $0.markDamaged(segment: first, from: first, offset: 0, error.text) }
        }
    }

    private func makeReader(
        _ file: any OpenFile,
        _ segment: LogSegment,
        _ wanted: FrameDecoder.Wanted,
        _ place: inout SinkPlace
    ) -> SegmentReader {
        let first = max(wanted.range.first, segment.summary.first)
        if let known = place.segment, known.first == segment.summary.first, let mark = known.mark(before: first) {
            place.segment = nil
            return SegmentReader(
                file, first: mark.sequence, from: mark.offset, to: segment.summary.bytes, known.decoder)
        }
        return SegmentReader(file, segment, interner)
    }

    /// Reads what is wanted of a segment and notes its offsets; damage ends it.
    private func read(
        _ wanted: FrameDecoder.Wanted,
        _ segment: LogSegment,
        _ reader: inout SegmentReader,
        _ place: inout SinkPlace,
        to output: inout FrameDecoder.Output
    ) -> String? {
        let end = min(wanted.range.end, segment.summary.end)
        var begin: SinkPlace.Mark?
        var last = SinkPlace.Mark(offset: reader.offset, sequence: reader.sequence)
        while reader.sequence < end {
            last = SinkPlace.Mark(offset: reader.offset, sequence: reader.sequence)
            switch reader.next(wanted, to: &output) {
            case .contents, .gap: break
            case .end: return "it ends before its last number"
            case .damaged: return "not a frame"
            case .failed(let error): return error.text
            }
            if begin == nil, reader.sequence > wanted.range.first { begin = last }
        }
        if reader.sequence <= end { last = SinkPlace.Mark(offset: reader.offset, sequence: reader.sequence) }
        place.segment = SinkPlace.Segment(
            first: segment.summary.first, decoder: reader.decoder, begin: begin ?? last, end: last)
        return nil
    }
}
