public import SondeDomain

/// Writes the Prometheus text exposition format 0.0.4 with timestamps in milliseconds.
///
/// Points of one family are contiguous after one `# TYPE` line, in sequence order; a series that has several points
/// in the batch has several lines, as import endpoints take them. Names are derived by ``PrometheusName``. NaN and
/// infinities, documents, and families whose name another type took first in the batch are left out and counted.
public struct PrometheusTextEncoder: BatchEncoder {
    /// What a series adds to its lines.
    private struct Fragment {
        /// -1 when the series has no name in this format.
        let family: Int
        /// Its labels without braces.
        let start: Int
        let end: Int
    }

    private var memo = SeriesMemo<Fragment>()
    private var families = PrometheusFamilies()
    private var resource = Resource()

    /// An encoder.
    public init() {}

    /// Appends a batch, grouped by family.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        if batch.resource != resource || memo.isFull {
            memo.removeAll()
            families = PrometheusFamilies()
            resource = batch.resource
        }
        memo.resolve(batch.series) { series, arena in
            Self.fragment(of: series, resource, families: &families, into: &arena)
        }
        var report = EncodingReport(documentsLeftOut: batch.documents.count)
        report.leftOut = group(batch)
        for family in families.order {
            append(family: family, batch, to: &buffer, &report)
        }
        return report
    }

    /// Puts every point that can be expressed under its family; returns how many cannot.
    private mutating func group(_ batch: Batch) -> Int {
        var leftOut = 0
        families.begin(entries: batch.entries.count)
        for (index, entry) in batch.entries.enumerated() {
            guard memo.entries.indices.contains(entry.seriesIndex) else {
                leftOut &+= 1
                continue
            }
            let family = memo.entries[entry.seriesIndex].family
            let isTaken = family >= 0 && canSay(entry.point.value, family) && families.add(entry: index, to: family)
            if !isTaken { leftOut &+= 1 }
        }
        return leftOut
    }

    private func canSay(_ value: SampleValue, _ family: Int) -> Bool {
        families.families[family].type.canSay(value)
    }

    private func append(family: Int, _ batch: Batch, to buffer: inout ByteBuffer, _ report: inout EncodingReport) {
        let name = families.families[family].name
        buffer.append(literal: "# TYPE ")
        buffer.append(name)
        buffer.append(0x20)
        buffer.append(families.families[family].type.rawValue)
        buffer.append(0x0a)
        var index = families.firstEntry(of: family)
        while index >= 0 {
            let entry = batch.entries[index]
            let fragment = memo.entries[entry.seriesIndex]
            var line = PrometheusLine(
                name: name, labels: fragment.start..<fragment.end, time: .milliseconds(entry.point.time))
            line.append(entry.point.value, memo.arena, to: &buffer)
            report.lines &+= line.count
            index = families.entry(after: index)
        }
    }

    private static func fragment(
        of series: Series,
        _ resource: Resource,
        families: inout PrometheusFamilies,
        into arena: inout ByteBuffer
    ) -> Fragment {
        guard let spelled = PrometheusSeries(series, resource) else {
            return Fragment(family: -1, start: 0, end: 0)
        }
        let start = arena.count
        PrometheusLabels.append(spelled.labels, to: &arena)
        return Fragment(family: families.number(of: spelled.name), start: start, end: arena.count)
    }
}
