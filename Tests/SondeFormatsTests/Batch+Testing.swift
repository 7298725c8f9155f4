import SondeDomain
import SondeFormats

/// 2026-01-01T00:00:00Z.
let newYear = Timestamp(seconds: 1_767_225_600)

extension Batch {
    /// A batch of these points, one series each.
    static func of(
        _ points: [(series: Series, value: SampleValue)],
        time: Timestamp = newYear,
        start: Timestamp? = nil,
        host: String? = "h",
        documents: [Document] = []
    ) -> Batch {
        Batch(
            identity: BatchIdentity(agent: "agent", epoch: "epoch", first: 1, last: 9),
            sink: "sink",
            resource: Resource(host: host),
            series: points.map(\.series),
            entries: points.enumerated().map { index, point in
                Entry(
                    seriesIndex: index,
                    point: MetricPoint(series: point.series.id, time: time, start: start, value: point.value)
                )
            },
            documents: documents
        )
    }
}

extension Series {
    /// A series whose identifier is made from what it is.
    static func testing(
        _ name: String,
        _ kind: MetricKind = .gauge,
        unit: String = "",
        _ attributes: [(String, String)] = [],
        labels: [(String, String)] = [],
        id: UInt64 = 1
    ) -> Series {
        Series(
            id: SeriesID(rawValue: id),
            source: "kernel",
            name: name,
            kind: kind,
            unit: unit,
            attributes: attributes.map { Attribute($0.0, $0.1) },
            labels: labels.map { Attribute($0.0, $0.1) }
        )
    }
}

extension BatchEncoder {
    /// What a batch becomes, as text.
    mutating func text(_ batch: Batch) -> String {
        var buffer = ByteBuffer()
        _ = encode(batch, into: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
