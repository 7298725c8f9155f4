public import SondeDomain

/// Writes `prometheus.WriteRequest` of Prometheus remote write 1.0, before compression.
///
/// https://prometheus.io/docs/specs/prw/remote_write_spec/: labels sorted by name, samples of a series in time order, a
/// stale marker where a series has ended. Histograms are classic: `_bucket`, `_count`, `_sum`. The metadata of each family
/// is in one request every ten minutes. Documents are left out.
public struct RemoteWriteEncoder: BatchEncoder {
    /// What is known of a series: where its labels are in the memo.
    ///
    /// Holds no reference, since it is copied for each series of a batch.
    private struct Fragment {
        let family: HelpSchedule.Family
        let start: Int
        /// Where the three parts of the labels end, from the start on.
        let ends: (Int32, Int32, Int32)

        var first: Range<Int> { start..<start + Int(ends.0) }
        var second: Range<Int> { start + Int(ends.0)..<start + Int(ends.1) }
        var third: Range<Int> { start + Int(ends.1)..<start + Int(ends.2) }
    }

    /// What is known of families.
    private struct Families {
        var schedule = HelpSchedule()
        /// `MetricMetadata` of each, by its number.
        var metadata: [ByteBuffer] = []

        /// The number of a series' family.
        mutating func number(of known: PrometheusSeries, _ meaning: String) -> HelpSchedule.Family {
            let number = schedule.number(of: known.name.family)
            guard Int(number) == metadata.count else { return number }
            var (message, field) = (ByteBuffer(), ByteBuffer())
            message.append(0x08)
            message.append(known.name.type.number)
            message.append(tag: 0x12, known.name.family)
            if !meaning.isEmpty { message.append(tag: 0x22, meaning) }
            if !known.name.unit.isEmpty { message.append(tag: 0x2a, known.name.unit) }
            field.append(tag: 0x1a, message)
            metadata.append(field)
            return number
        }
    }

    private let target: PrometheusTarget
    private var memo = SeriesMemo<Fragment?>()
    private var rows = SampleRows()
    private var chains = SeriesChains()
    private var resource = Resource()
    private var agent = ""
    private var families = Families()
    /// The families whose metadata the request in hand has.
    private var described: Set<HelpSchedule.Family> = []
    /// The labels of the row in hand, where they are not those of its series.
    private var message = ByteBuffer()

    /// An encoder for one sink.
    public init(_ target: PrometheusTarget = PrometheusTarget()) {
        self.target = target
    }

    /// Appends a batch; `lines` of the report are samples.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        if batch.resource != resource || batch.identity.agent != agent || memo.isFull {
            memo.removeAll()
            families = Families()
            (resource, agent) = (batch.resource, batch.identity.agent)
        }
        families.schedule.begin(batch)
        // Taken out: the closure changes it while the memo is changed.
        var found = families
        families = Families()
        memo.resolve(batch.series) { [target] in Self.fragment(of: $0, batch, target, &found, into: &$1) }
        families = found
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
            rows.take(series.kind, at: index, batch, first: first, chains)
            report.leftOut &+= rows.leftOut
            for row in rows.rows {
                append(row, fragment, arena, to: &buffer)
                report.lines &+= row.samples.count
            }
        }
        if report.lines > 0 { describe(fragments, to: &buffer) }
        return report
    }

    /// Appends one `TimeSeries`.
    private mutating func append(
        _ row: SampleRows.Row,
        _ fragment: Fragment,
        _ arena: borrowing ByteBuffer,
        to buffer: inout ByteBuffer
    ) {
        var length = fragment.first.count
        if row.part != .whole {
            setLabels(of: row, fragment, arena)
            length = message.count
        }
        for sample in rows.samples[row.samples] {
            length &+= 12 &+ ByteBuffer.varintLength(UInt64(bitPattern: sample.time))
        }
        buffer.append(0x0a)
        buffer.append(varint: UInt64(length))
        if row.part != .whole { buffer.append(message.bytes) } else { buffer.append(arena, fragment.first) }
        for sample in rows.samples[row.samples] {
            let time = UInt64(bitPattern: sample.time)
            buffer.append(atMost: 24) { fields in
                fields.put(0x12)
                fields.put(varint: UInt64(10 &+ ByteBuffer.varintLength(time)))
                fields.put(0x09)
                fields.put(fixed64: sample.value)
                fields.put(0x10)
                fields.put(varint: time)
            }
        }
    }

    /// The labels of a row of a histogram.
    private mutating func setLabels(of row: SampleRows.Row, _ fragment: Fragment, _ arena: borrowing ByteBuffer) {
        message.removeAll()
        message.append(arena, fragment.first)
        message.append(label: "__name__", row.part.name(of: families.schedule.name(of: fragment.family)))
        message.append(arena, fragment.second)
        if let bound = row.part.bound { message.append(label: "le", bound) }
        message.append(arena, fragment.third)
    }

    /// Appends the metadata of each family for which it is time, once.
    private mutating func describe(_ fragments: [Fragment?], to buffer: inout ByteBuffer) {
        described.removeAll(keepingCapacity: true)
        var last: HelpSchedule.Family = -1
        for case let fragment? in fragments where fragment.family != last {
            last = fragment.family
            if families.schedule.isDue(last), described.insert(last).inserted {
                buffer.append(families.metadata[Int(last)].bytes)
            }
        }
    }

    private static func fragment(
        of series: Series,
        _ batch: Batch,
        _ target: PrometheusTarget,
        _ families: inout Families,
        into arena: inout ByteBuffer
    ) -> Fragment? {
        guard let known = PrometheusSeries(series, batch.resource, target, agent: batch.identity.agent) else {
            return nil
        }
        let start = arena.count
        let ends = known.parts.map { part in
            for label in part { arena.append(label: label.name, label.value) }
            // A series has few labels, which are not long.
            return Int32(truncatingIfNeeded: arena.count - start)
        }
        return Fragment(
            family: families.number(of: known, series.meaning), start: start, ends: (ends[0], ends[1], ends[2]))
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
}
