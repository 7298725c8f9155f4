internal import SondeDomain

/// How a page is written.
public struct PrometheusPageStyle: Hashable, Sendable {
    /// The format of a page.
    public enum Format: Hashable, Sendable {
        /// The Prometheus text exposition format 0.0.4.
        case text
        /// OpenMetrics 1.0: units, info metrics, a marker at the end.
        case openMetrics
    }

    /// The format.
    public var format: Format
    /// Whether each line has the time of its point.
    public var hasTimes: Bool
    /// Whether counters and histograms have a line with the start of their count; OpenMetrics only.
    public var hasStarts: Bool

    /// A style.
    public init(_ format: Format = .text, hasTimes: Bool = false, hasStarts: Bool = false) {
        self.format = format
        self.hasTimes = hasTimes
        self.hasStarts = hasStarts
    }

    /// The media type.
    public var contentType: String {
        switch format {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }
}

extension PrometheusPage {
    /// Appends the families that pass, sorted by name, their series by labels.
    ///
    /// `passes` takes the name of a family and that of its metric. `flush` is called after each family and may empty the
    /// buffer, so that no whole page is held.
    public func write(
        _ style: PrometheusPageStyle = PrometheusPageStyle(),
        into buffer: inout ByteBuffer,
        where passes: (_ family: String, _ metric: String) -> Bool = { _, _ in true },
        flush: (inout ByteBuffer) -> Void = { _ in }
    ) {
        for family in families where passes(family.name.family, family.metric) {
            switch style.format {
            case .text: writeHead(family, to: &buffer)
            case .openMetrics: writeOpenMetricsHead(family, to: &buffer)
            }
            for index in family.samples {
                if let sample = samples[index] { write(sample, family, style, to: &buffer) }
            }
            flush(&buffer)
        }
        if style.format == .openMetrics {
            buffer.append(literal: "# EOF\n")
            flush(&buffer)
        }
    }

    private func write(
        _ sample: Sample, _ family: Family, _ style: PrometheusPageStyle, to buffer: inout ByteBuffer
    ) {
        let time: PrometheusLine.Time =
            switch (style.hasTimes, style.format) {
            case (false, _): .none
            case (true, .text): .milliseconds(sample.time)
            case (true, .openMetrics): .seconds(sample.time)
            }
        var line = PrometheusLine(name: family.name.family, labels: sample.labels, time: time)
        line.append(sample.value, arena, to: &buffer)
        guard style.hasStarts, style.format == .openMetrics, let start = sample.start,
            ["counter", "histogram"].contains(family.openMetrics.type)
        else { return }
        var created = PrometheusLine(name: family.openMetrics.name, labels: sample.labels, time: .none)
        created.append(created: start, arena, to: &buffer)
    }

    private func writeHead(_ family: Family, to buffer: inout ByteBuffer) {
        buffer.append(literal: "# HELP ")
        buffer.append(family.name.family)
        buffer.append(0x20)
        for byte in family.help.utf8 {
            switch byte {
            case 0x5c: buffer.append(literal: #"\\"#)
            case 0x0a: buffer.append(literal: #"\n"#)
            default: buffer.append(byte)
            }
        }
        buffer.append(literal: "\n# TYPE ")
        buffer.append(family.name.family)
        buffer.append(0x20)
        buffer.append(family.name.type.rawValue)
        buffer.append(0x0a)
    }

    private func writeOpenMetricsHead(_ family: Family, to buffer: inout ByteBuffer) {
        let named = family.openMetrics
        write("# TYPE ", named.name, named.type, to: &buffer)
        if !named.unit.isEmpty { write("# UNIT ", named.name, named.unit, to: &buffer) }
        buffer.append(literal: "# HELP ")
        buffer.append(named.name)
        buffer.append(0x20)
        for byte in family.help.utf8 {
            switch byte {
            case 0x5c: buffer.append(literal: #"\\"#)
            case 0x22: buffer.append(literal: #"\""#)
            case 0x0a: buffer.append(literal: #"\n"#)
            default: buffer.append(byte)
            }
        }
        buffer.append(0x0a)
    }

    private func write(_ keyword: StaticString, _ name: String, _ word: String, to buffer: inout ByteBuffer) {
        buffer.append(literal: keyword)
        buffer.append(name)
        buffer.append(0x20)
        buffer.append(word)
        buffer.append(0x0a)
    }
}
