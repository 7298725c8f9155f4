internal import SondeDomain

/// Writes one number of each point of a line of history as OpenMetrics text with times.
struct HistoryOpenMetrics {
    private let name: String
    private let statistic: HistoryStatistic
    private var labels = ByteBuffer()

    init(_ line: HistoryLine, _ statistic: HistoryStatistic, host: String?) {
        let series = line.series
        self.statistic = statistic
        let spelled = "sonde.history.\(series.metric.rawValue).\(statistic.rawValue)"
        name = PrometheusName(spelled, kind: .gauge, unit: series.metric.unit)?.family ?? "sonde_history"
        var pairs: [(String, String)] = []
        if let host { pairs.append(("host", host)) }
        if let key = series.metric.memberName, let member = series.member { pairs.append((key, member)) }
        pairs.append(("source", series.source))
        var labels = ByteBuffer()
        for (index, pair) in pairs.enumerated() {
            labels.append(index == 0 ? 0x7b : 0x2c)
            labels.append(pair.0)
            labels.append(literal: "=\"")
            Self.append(escaped: pair.1, to: &labels)
            labels.append(0x22)
        }
        labels.append(0x7d)
        self.labels = labels
    }

    /// Appends the points, after the head of their family where it is another than `before`; the family.
    func append(_ points: [HistoryLine.Point], after before: String, to buffer: inout ByteBuffer) -> String {
        var family = before
        for point in points {
            guard let value = statistic.value(of: point.value) else { continue }
            if family != name {
                family = name
                buffer.append(literal: "# TYPE ")
                buffer.append(name)
                buffer.append(literal: " gauge\n")
            }
            buffer.append(name)
            buffer.append(labels.bytes)
            buffer.append(0x20)
            _ = buffer.append(shortest: value)
            buffer.append(0x20)
            // OpenMetrics has seconds where the older format has milliseconds; steps begin at whole ones.
            buffer.append(decimal: point.time.nanoseconds / 1_000_000_000)
            buffer.append(0x0a)
        }
        return family
    }

    private static func append(escaped text: String, to buffer: inout ByteBuffer) {
        for byte in text.utf8 {
            switch byte {
            case 0x5c: buffer.append(literal: #"\\"#)
            case 0x22: buffer.append(literal: #"\""#)
            case 0x0a: buffer.append(literal: #"\n"#)
            default: buffer.append(byte)
            }
        }
    }
}
