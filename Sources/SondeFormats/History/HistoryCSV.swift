internal import SondeDomain

/// Writes points of one line of history as comma-separated values.
struct HistoryCSV {
    private let series: HistorySeries
    private var head = ByteBuffer()

    init(_ line: HistoryLine) {
        series = line.series
        var head = ByteBuffer()
        head.append(0x2c)
        _ = head.append(shortest: line.step.seconds)
        for text in [series.metric.rawValue, series.metric.unit, series.member ?? "", series.source] {
            head.append(0x2c)
            Self.append(text, to: &head)
        }
        self.head = head
    }

    mutating func append(_ point: HistoryLine.Point, to buffer: inout ByteBuffer) {
        buffer.append(time: point.time)
        buffer.append(head.bytes)
        for statistic in [HistoryStatistic.average, .minimum, .maximum, .peak, .last] {
            Self.append(statistic.value(of: point.value), to: &buffer)
        }
        buffer.append(0x2c)
        buffer.append(decimal: UInt64(point.value.count))
        Self.append(point.value.coveredSeconds, to: &buffer)
        buffer.append(0x2c)
        if let latencies = point.value.latencies { buffer.append(decimal: latencies.total) }
        for statistic in [HistoryStatistic.p50, .p95, .p99] {
            Self.append(statistic.value(of: point.value), to: &buffer)
        }
        buffer.append(0x0a)
    }

    /// Appends a comma and the number; nothing after it when it is unknown.
    private static func append(_ number: Double?, to buffer: inout ByteBuffer) {
        buffer.append(0x2c)
        if let number { _ = buffer.append(shortest: number) }
    }

    /// Appends a text, in quotes where it needs them (RFC 4180 section 2).
    private static func append(_ text: String, to buffer: inout ByteBuffer) {
        guard text.utf8.contains(where: { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }) else { return buffer.append(text) }
        buffer.append(0x22)
        for byte in text.utf8 {
            if byte == 0x22 { buffer.append(0x22) }
            buffer.append(byte)
        }
        buffer.append(0x22)
    }
}

extension HistoryPoint {
    /// How much of its step the readings cover, in seconds; nil for a distribution.
    var coveredSeconds: Double? {
        latencies == nil ? Double(weight) / 1e6 : nil
    }
}
