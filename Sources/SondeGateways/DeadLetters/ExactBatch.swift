internal import SondeDomain
internal import SondeEngine

/// The exact form of a batch in a dead letter: one frame of the spool's format (docs/spec/spool.md).
///
/// JSON lines do not distinguish 5 from 5.0, have milliseconds, and leave out which source a series comes from; what is offered
/// again must be what was offered.
enum ExactBatch {
    /// The frame; nil when it would be longer than a reader takes.
    static func encode(_ batch: Batch) -> [UInt8]? {
        let points = batch.entries.compactMap { entry -> SpooledPoint? in
            guard batch.series.indices.contains(entry.seriesIndex) else { return nil }
            return SpooledPoint(
                series: batch.series[entry.seriesIndex], time: entry.point.time, start: entry.point.start,
                value: entry.point.value)
        }
        var writer = ByteWriter()
        var encoder = SpoolFrameEncoder()
        _ = encoder.encode(points, batch.documents, nil, first: batch.identity.first, definitions: .max, to: &writer)
        guard writer.count <= Frame.headLength + Frame.maxPayload else { return nil }
        return Array(writer.bytes)
    }

    /// The batch that a frame holds; nil when it is damaged.
    static func decode(
        _ bytes: [UInt8],
        _ identity: BatchIdentity,
        sink: String,
        resource: Resource,
        _ interner: SeriesInterner
    ) -> Batch? {
        var output = SpoolFrameDecoder.Output()
        let isWhole = bytes.withUnsafeBytes { bytes -> Bool in
            guard bytes.count >= Frame.headLength, let head = FrameHead(bytes), head.kind == Frame.Kind.batch,
                head.sequence == identity.first, bytes.count == Frame.headLength + head.length,
                CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[Frame.checkedFrom...])) == head.checksum
            else { return false }
            var decoder = SpoolFrameDecoder(interner)
            let wanted = SpoolFrameDecoder.Wanted(
                range: SequenceRange(first: 0, end: .max), content: [.metrics, .snapshots])
            let payload = UnsafeRawBufferPointer(rebasing: bytes[Frame.headLength...])
            return decoder.decode(payload, first: identity.first, wanted, to: &output) != nil
        }
        guard isWhole else { return nil }
        return Batch(output.points, output.documents, identity, sink: sink, resource: resource)
    }
}

extension Batch {
    /// A batch of points in their order.
    init(
        _ points: SpooledPoints,
        _ documents: [Document],
        _ identity: BatchIdentity,
        sink: String,
        resource: Resource
    ) {
        self.init(
            identity: identity, sink: sink, resource: resource, series: points.series, entries: points.entries,
            documents: documents)
    }
}
