public import SondeDomain

/// Writes InfluxDB line protocol, version 2: `measurement,tags fields nanoseconds`.
///
/// The measurement is the metric's name; tags are attributes, labels and `host`, sorted. The field is `value`: integers
/// carry an `i`. An integer above `Int64.max` is left out and counted: the protocol's unsigned type is another field
/// type, as a float is, and a server refuses points that change the type of a field. A series whose name or tags have a
/// line break, or are longer than a server takes, is left out and counted too. A histogram has the fields `count`, `sum`
/// and one `bucket_<bound>` per bound, cumulated over buckets, with `bucket_+Inf` last.
public struct InfluxLineEncoder: BatchEncoder {
    /// Where `measurement,tags` and the space after it are in the memo; empty when there is no measurement.
    private struct Fragment {
        let start: Int
        let end: Int
    }

    // InfluxDB refuses more than 65,535 bytes of measurement, tags, a separator of four and the longest field.
    private static let longestKey = 65_500

    private var memo = SeriesMemo<Fragment>()
    private var resource = Resource()

    /// An encoder.
    public init() {}

    /// Appends a batch, one line per point; documents are left out.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        if batch.resource != resource {
            memo.removeAll()
            resource = batch.resource
        }
        memo.resolve(batch.series) { Self.fragment(of: $0, resource, into: &$1) }
        // Taken out once: reading them for each point costs as much as writing a number.
        let (fragments, arena) = (memo.entries, memo.arena)
        var report = EncodingReport(documentsLeftOut: batch.documents.count)
        // The format has no word for the end of a series.
        for entry in batch.entries where !entry.point.value.isEnd {
            if append(entry, fragments, arena, to: &buffer) {
                report.lines &+= 1
            } else {
                report.leftOut &+= 1
            }
        }
        return report
    }

    private func append(
        _ entry: Batch.Entry,
        _ fragments: [Fragment],
        _ arena: ByteBuffer,
        to buffer: inout ByteBuffer
    ) -> Bool {
        guard fragments.indices.contains(entry.seriesIndex) else { return false }
        let fragment = fragments[entry.seriesIndex]
        guard fragment.end > fragment.start else { return false }
        let length = buffer.count
        buffer.append(arena, from: fragment.start, to: fragment.end)
        guard append(entry.point.value, to: &buffer) else {
            buffer.truncate(to: length)
            return false
        }
        buffer.append(0x20)
        buffer.append(decimal: entry.point.time.nanoseconds)
        buffer.append(0x0a)
        return true
    }

    private func append(_ value: SampleValue, to buffer: inout ByteBuffer) -> Bool {
        switch value {
        case .signed(let number):
            return append(integer: number, field: "value=", to: &buffer)
        case .unsigned(let number):
            return append(integer: number, field: "value=", to: &buffer)
        case .double(let number):
            buffer.append(literal: "value=")
            return buffer.append(shortest: number)
        case .histogram(let histogram):
            return append(histogram, to: &buffer)
        case .ended: return false
        }
    }

    private func append(_ histogram: HistogramValue, to buffer: inout ByteBuffer) -> Bool {
        guard append(integer: histogram.count, field: "count=", to: &buffer) else { return false }
        if let sum = histogram.sum {
            buffer.append(literal: ",sum=")
            guard buffer.append(shortest: sum) else { return false }
        }
        var cumulated: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            cumulated &+= count
            buffer.append(literal: ",bucket_")
            _ = buffer.append(shortest: bound)
            guard append(integer: cumulated, field: "=", to: &buffer) else { return false }
        }
        return append(integer: histogram.count, field: ",bucket_+Inf=", to: &buffer)
    }

    private func append(
        integer value: some FixedWidthInteger,
        field: StaticString,
        to buffer: inout ByteBuffer
    ) -> Bool {
        guard let value = Int64(exactly: value) else { return false }
        buffer.append(literal: field)
        buffer.append(decimal: value)
        buffer.append(0x69)
        return true
    }

    private static func fragment(of series: Series, _ resource: Resource, into arena: inout ByteBuffer) -> Fragment {
        let start = arena.count
        guard appendKey(of: series, resource, to: &arena), arena.count - start <= longestKey else {
            arena.truncate(to: start)
            return Fragment(start: start, end: start)
        }
        arena.append(0x20)
        return Fragment(start: start, end: arena.count)
    }

    /// Appends measurement and tags; false: the protocol cannot write them.
    private static func appendKey(of series: Series, _ resource: Resource, to arena: inout ByteBuffer) -> Bool {
        let start = arena.count
        guard InfluxEscape.measurement.append(series.name, to: &arena), arena.count > start else { return false }
        for tag in TagSet(series, resource).tags {
            let length = arena.count
            arena.append(0x2c)
            guard InfluxEscape.tag.append(tag.name, to: &arena) else { return false }
            let nameEnd = arena.count
            arena.append(0x3d)
            guard InfluxEscape.tag.append(tag.value, to: &arena) else { return false }
            // A name or value of only backslashes is empty once written, and the protocol has no empty ones.
            if nameEnd == length + 1 || arena.count == nameEnd + 1 { arena.truncate(to: length) }
        }
        return true
    }
}
