public import SondeDomain

/// Writes one JSON object per metric point and per document, one per line.
///
/// Keys in this order, absent ones left out: `time, name, kind, unit, value | count sum bounds counts, start,
/// attributes, host, labels`. 64-bit integers are exact. Documents are written as they are.
public struct JSONLineEncoder: BatchEncoder {
    /// Where the constant parts of a series' lines are in the memo.
    private struct Fragment {
        /// `","name":…,"unit":…` begins here.
        let start: Int
        /// `,"attributes":…}` begins here.
        let tail: Int
        let end: Int
        /// Whether points of this kind may carry a start time.
        let hasStart: Bool
    }

    private var memo = SeriesMemo<Fragment>()
    private var resource = Resource()
    private var time = TimeText()
    private var startTime = TimeText()

    /// An encoder.
    public init() {}

    /// Appends a batch, one line per point and document.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        if batch.resource != resource {
            memo.removeAll()
            resource = batch.resource
        }
        memo.resolve(batch.series) { Self.fragment(of: $0, resource, into: &$1) }
        var report = EncodingReport()
        for entry in batch.entries {
            guard memo.entries.indices.contains(entry.seriesIndex) else {
                report.leftOut &+= 1
                continue
            }
            // The format has no word for the end of a series.
            if entry.point.value.isEnd { continue }
            if append(entry.point, memo.entries[entry.seriesIndex], to: &buffer) {
                report.lines &+= 1
            } else {
                report.leftOut &+= 1
            }
        }
        for document in batch.documents {
            append(document, to: &buffer)
            report.lines &+= 1
        }
        return report
    }

    // Once in the loop over the points: called, it copies each of them.
    @inline(__always)
    private mutating func append(_ point: MetricPoint, _ fragment: Fragment, to buffer: inout ByteBuffer) -> Bool {
        switch point.value {
        case .double(let number) where !number.isFinite: return false
        case .ended: return false
        default: break
        }
        buffer.append(literal: #"{"time":""#)
        time.append(point.time, to: &buffer)
        buffer.append(memo.arena, from: fragment.start, to: fragment.tail)
        append(point.value, to: &buffer)
        if fragment.hasStart, let start = point.start {
            buffer.append(literal: #","start":""#)
            startTime.append(start, to: &buffer)
            buffer.append(0x22)
        }
        buffer.append(memo.arena, from: fragment.tail, to: fragment.end)
        return true
    }

    private func append(_ value: SampleValue, to buffer: inout ByteBuffer) {
        switch value {
        case .unsigned(let number):
            buffer.append(literal: #","value":"#)
            buffer.append(decimal: number)
        case .signed(let number):
            buffer.append(literal: #","value":"#)
            buffer.append(decimal: number)
        case .double(let number):
            buffer.append(literal: #","value":"#)
            buffer.append(jsonNumber: number)
        case .histogram(let histogram):
            append(histogram, to: &buffer)
        case .ended: break
        }
    }

    private func append(_ histogram: HistogramValue, to buffer: inout ByteBuffer) {
        buffer.append(literal: #","count":"#)
        buffer.append(decimal: histogram.count)
        if let sum = histogram.sum {
            buffer.append(literal: #","sum":"#)
            buffer.append(jsonNumber: sum)
        }
        buffer.append(literal: #","bounds":["#)
        for (index, bound) in histogram.bounds.enumerated() {
            if index > 0 { buffer.append(0x2c) }
            buffer.append(jsonNumber: bound)
        }
        buffer.append(literal: #"],"counts":["#)
        for (index, count) in histogram.counts.enumerated() {
            if index > 0 { buffer.append(0x2c) }
            buffer.append(decimal: count)
        }
        buffer.append(0x5d)
    }

    // A document is one object without line breaks by contract, but plugins make documents too: outside of a string a
    // line break means no more than a space, and inside one it is not JSON.
    private func append(_ document: Document, to buffer: inout ByteBuffer) {
        if document.json.contains(where: { $0 == 0x0a || $0 == 0x0d }) {
            buffer.append(document.json.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 })
        } else {
            buffer.append(document.json)
        }
        buffer.append(0x0a)
    }

    private static func fragment(of series: Series, _ resource: Resource, into arena: inout ByteBuffer) -> Fragment {
        let start = arena.count
        arena.append(literal: #"","name":"#)
        arena.append(jsonString: series.name)
        arena.append(literal: #","kind":""#)
        arena.append(series.kind.name)
        arena.append(0x22)
        if !series.unit.isEmpty {
            arena.append(literal: #","unit":"#)
            arena.append(jsonString: series.unit)
        }
        let tail = arena.count
        append(series.attributes, key: #","attributes":{"#, to: &arena)
        if let host = resource.host {
            arena.append(literal: #","host":"#)
            arena.append(jsonString: host)
        }
        append(resource.allLabels(of: series), key: #","labels":{"#, to: &arena)
        arena.append(literal: "}\n")
        let hasStart = series.kind == .counter || series.kind == .histogram
        return Fragment(start: start, tail: tail, end: arena.count, hasStart: hasStart)
    }

    private static func append(_ pairs: [Attribute], key: StaticString, to arena: inout ByteBuffer) {
        guard !pairs.isEmpty else { return }
        arena.append(literal: key)
        for (index, pair) in pairs.enumerated() {
            if index > 0 { arena.append(0x2c) }
            arena.append(jsonString: pair.name)
            arena.append(0x3a)
            arena.append(jsonString: pair.value)
        }
        arena.append(0x7d)
    }
}
