public import SondeDomain

/// Writes `prometheus.WriteRequest` of Prometheus remote write 1.0, before compression.
///
/// https://prometheus.io/docs/specs/prw/remote_write_spec/: labels sorted by name, samples of a series in time order, a
/// stale marker where a series has ended. Histograms are classic: `_bucket`, `_count`, `_sum`. The metadata of each family
/// is in one request every ten minutes. Documents are left out.
public struct RemoteWriteEncoder: BatchEncoder {
    /// Where what is known of a series is in the memo.
    private struct Fragment {
        let family: String
        let number: HelpSchedule.Family
        /// Where the parts of its labels are.
        let labels: [Range<Int>]
        /// `MetricMetadata` of its family.
        let metadata: Range<Int>
    }

    private let target: PrometheusTarget
    private var memo = SeriesMemo<Fragment?>()
    private var rows = SampleRows()
    private var chains = SeriesChains()
    private var resource = Resource()
    private var agent = ""
    private var schedule = HelpSchedule()
    /// The families whose metadata the request in hand has.
    private var described: Set<HelpSchedule.Family> = []
    private var message = ByteBuffer()

    /// An encoder for one sink.
    public init(_ target: PrometheusTarget = PrometheusTarget()) {
        self.target = target
    }

    /// Appends a batch; `lines` of the report are samples.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        if batch.resource != resource || batch.identity.agent != agent || memo.isFull {
            memo.removeAll()
            schedule.removeAll()
            (resource, agent) = (batch.resource, batch.identity.agent)
        }
        schedule.begin(batch)
        // Taken out: the closure changes it while the memo is changed.
        var families = schedule
        schedule = HelpSchedule()
        memo.resolve(batch.series) { [target] in Self.fragment(of: $0, batch, target, &families, into: &$1) }
        schedule = families
        chains.take(batch)
        rows.begin(batch)
        let (fragments, arena) = (memo.entries, memo.arena)
        var report = EncodingReport(documentsLeftOut: batch.documents.count)
        for (index, series) in batch.series.enumerated() {
            let first = chains.firstEntry(of: index)
            guard first >= 0 else { continue }
            guard let fragment = fragments[index] else {
                report.leftOut &+= chains.count(from: first)
                continue
            }
            rows.take(series, batch, first: first, chains)
            report.leftOut &+= rows.leftOut
            for row in rows.rows {
                append(row, fragment, arena, to: &buffer)
                report.lines &+= row.samples.count
            }
        }
        if report.lines > 0 { describe(fragments, arena, to: &buffer) }
        return report
    }

    /// Appends one `TimeSeries`.
    private mutating func append(
        _ row: SampleRows.Row,
        _ fragment: Fragment,
        _ arena: borrowing ByteBuffer,
        to buffer: inout ByteBuffer
    ) {
        message.removeAll()
        message.append(arena, fragment.labels[0])
        if row.part != .whole {
            message.append(label: "__name__", row.part.name(of: fragment.family))
            message.append(arena, fragment.labels[1])
            if let bound = row.part.bound { message.append(label: "le", bound) }
            message.append(arena, fragment.labels[2])
        }
        for sample in rows.samples[row.samples] {
            message.append(0x12)
            message.append(varint: UInt64(10 + ByteBuffer.varintLength(UInt64(bitPattern: sample.time))))
            message.append(0x09)
            message.append(fixed64: sample.value)
            message.append(0x10)
            message.append(varint: UInt64(bitPattern: sample.time))
        }
        buffer.append(tag: 0x0a, message)
    }

    /// Appends the metadata of each family for which it is time, once.
    private mutating func describe(
        _ fragments: [Fragment?],
        _ arena: borrowing ByteBuffer,
        to buffer: inout ByteBuffer
    ) {
        described.removeAll(keepingCapacity: true)
        for case let fragment? in fragments
        where schedule.isDue(fragment.number) && described.insert(fragment.number).inserted {
            buffer.append(arena, fragment.metadata)
        }
    }

    private static func fragment(
        of series: Series,
        _ batch: Batch,
        _ target: PrometheusTarget,
        _ families: inout HelpSchedule,
        into arena: inout ByteBuffer
    ) -> Fragment? {
        guard let known = PrometheusSeries(series, batch.resource, target, agent: batch.identity.agent) else {
            return nil
        }
        var labels: [Range<Int>] = []
        for part in known.parts { labels.append(arena.appendLabels(part)) }
        let start = arena.count
        var metadata = ByteBuffer()
        metadata.append(0x08)
        metadata.append(known.name.type.number)
        metadata.append(tag: 0x12, known.name.family)
        if !series.meaning.isEmpty { metadata.append(tag: 0x22, series.meaning) }
        if !known.name.unit.isEmpty { metadata.append(tag: 0x2a, known.name.unit) }
        arena.append(tag: 0x1a, metadata)
        return Fragment(
            family: known.name.family, number: families.number(of: known.name.family), labels: labels,
            metadata: start..<arena.count)
    }
}

extension ByteBuffer {
    /// Appends `Label` as a field 1.
    fileprivate mutating func append(label name: String, _ value: String) {
        let (nameLength, valueLength) = (name.utf8.count, value.utf8.count)
        let length =
            2 + nameLength + valueLength + Self.varintLength(UInt64(nameLength))
            + Self.varintLength(UInt64(valueLength))
        append(0x0a)
        append(varint: UInt64(length))
        append(tag: 0x0a, name)
        append(tag: 0x12, value)
    }

    fileprivate mutating func appendLabels(_ labels: ArraySlice<Attribute>) -> Range<Int> {
        let start = count
        for label in labels { append(label: label.name, label.value) }
        return start..<count
    }
}
