public import SondeDomain

/// Writes `opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest`, before compression.
///
/// One resource, a scope for each source, a metric for each name, kind and unit, with all its data points. Counters and
/// histograms are cumulative with their start where it is known. The end of a series is a data point without a value.
/// Documents are left out.
public struct OTLPEncoder: BatchEncoder {
    /// What is known of a series.
    private struct Fragment {
        let family: Int
        /// Where the attributes of its data points are in the arena.
        let attributes: Range<Int>
    }

    private let settings: OTLPSettings
    private var memo = SeriesMemo<Fragment?>()
    private var families = OTLPFamilies()
    private var histograms = LastHistograms()
    private var attributes: OTLPAttributes?
    private var resource = Resource()
    private var agent = ""
    private var chains = SeriesChains()
    private var seriesByFamily = GroupOrder()
    private var familiesByScope = GroupOrder()
    private var points = OTLPPoints()
    private var metrics = ByteBuffer()
    private var scopes = ByteBuffer()

    /// An encoder for one sink.
    public init(_ settings: OTLPSettings = OTLPSettings()) {
        self.settings = settings
    }

    /// Appends a batch; `lines` of the report are data points.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        resolve(batch)
        chains.take(batch)
        histograms.begin(batch)
        scopes.removeAll()
        var report = EncodingReport(documentsLeftOut: batch.documents.count)
        let (fragments, arena) = (memo.entries, memo.arena)
        sort(batch, fragments, &report)
        for scope in familiesByScope.groups {
            metrics.removeAll()
            var family = familiesByScope.firstItem(of: Int(scope))
            while family >= 0 {
                appendMetric(families.families[family], family, batch, fragments, arena, &report)
                family = familiesByScope.item(after: family)
            }
            guard !metrics.isEmpty else { continue }
            let head = families.scopes[Int(scope)]
            scopes.append(0x12)
            scopes.append(varint: UInt64(head.count + metrics.count))
            scopes.append(arena, head)
            scopes.append(metrics.bytes)
        }
        if report.lines > 0 { appendRequest(to: &buffer) }
        return report
    }

    private mutating func resolve(_ batch: Batch) {
        if batch.resource != resource || batch.identity.agent != agent || memo.isFull || attributes == nil {
            memo.removeAll()
            families = OTLPFamilies()
            (resource, agent) = (batch.resource, batch.identity.agent)
            attributes = OTLPAttributes(resource, agent: agent, settings)
        }
        guard let attributes else { return }
        // Taken out: the closure changes it while the memo is changed.
        var known = families
        families = OTLPFamilies()
        memo.resolve(batch.series) { [version = resource.agentVersion] series, arena in
            guard !series.name.isEmpty else { return nil }
            let family = known.number(of: series, version: version, into: &arena)
            let start = arena.count
            arena.append(tag: series.kind == .histogram ? 0x4a : 0x3a, keyValues: attributes.points(of: series))
            return Fragment(family: family, attributes: start..<arena.count)
        }
        families = known
    }

    /// Puts the series of a batch under their families, and those under their scopes.
    private mutating func sort(_ batch: Batch, _ fragments: [Fragment?], _ report: inout EncodingReport) {
        seriesByFamily.begin(groups: families.families.count, items: fragments.count)
        familiesByScope.begin(groups: families.scopes.count, items: families.families.count)
        for index in fragments.indices {
            let first = chains.firstEntry(of: index)
            guard first >= 0 else { continue }
            guard let family = fragments[index]?.family else {
                report.leftOut &+= chains.count(from: first)
                continue
            }
            if !seriesByFamily.hasItems(family) { familiesByScope.add(family, to: families.families[family].scope) }
            seriesByFamily.add(index, to: family)
        }
    }

    private mutating func appendMetric(
        _ family: OTLPFamilies.Family,
        _ number: Int,
        _ batch: Batch,
        _ fragments: [Fragment?],
        _ arena: borrowing ByteBuffer,
        _ report: inout EncodingReport
    ) {
        points.begin(hasStart: family.kind == .counter || family.kind == .histogram)
        var index = seriesByFamily.firstItem(of: number)
        while index >= 0 {
            if let fragment = fragments[index] {
                let first = chains.firstEntry(of: index)
                if family.kind == .histogram {
                    points.takeHistograms(batch, first, chains, fragment.attributes, arena, &histograms)
                } else {
                    points.takeNumbers(batch, first, chains, fragment.attributes, arena)
                }
            }
            index = seriesByFamily.item(after: index)
        }
        report.lines &+= points.count
        report.leftOut &+= points.leftOut
        guard points.count > 0 else { return }
        let (tag, ending) = family.kind.field(settings.temporality)
        let length = points.bytes.count + ending.utf8CodeUnitCount
        metrics.append(0x12)
        metrics.append(varint: UInt64(family.head.count + ByteBuffer.fieldLength(length)))
        metrics.append(arena, family.head)
        metrics.append(tag)
        metrics.append(varint: UInt64(length))
        metrics.append(points.bytes.bytes)
        metrics.append(literal: ending)
    }

    private func appendRequest(to buffer: inout ByteBuffer) {
        var message = ByteBuffer()
        message.append(tag: 0x0a, keyValues: attributes?.resource ?? [])
        buffer.append(0x0a)
        buffer.append(varint: UInt64(ByteBuffer.fieldLength(message.count) + scopes.count))
        buffer.append(tag: 0x0a, message)
        buffer.append(scopes.bytes)
    }
}

extension MetricKind {
    /// The tag of the field of `Metric` that has the data points, and what its message ends with: the temporality, and
    /// whether the sum is monotonic.
    ///
    /// What may fall is cumulative for every receiver.
    fileprivate func field(_ temporality: OTLPTemporality) -> (tag: UInt8, ending: StaticString) {
        switch (self, temporality) {
        case (.counter, .cumulative): (0x3a, "\u{10}\u{02}\u{18}\u{01}")
        case (.counter, .delta): (0x3a, "\u{10}\u{01}\u{18}\u{01}")
        case (.upDown, _): (0x3a, "\u{10}\u{02}")
        case (.histogram, .cumulative): (0x4a, "\u{10}\u{02}")
        case (.histogram, .delta): (0x4a, "\u{10}\u{01}")
        case (.gauge, _), (.info, _): (0x2a, "")
        }
    }
}
