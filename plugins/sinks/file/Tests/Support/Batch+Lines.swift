import SondeDomain
import SondeFormats

extension Batch {
    /// A batch of one point per number, with the number as its value.
    static func of(_ numbers: ClosedRange<UInt64>) -> Batch {
        let series = Series(
            id: SeriesID(rawValue: 1),
            source: "kernel",
            name: "system.network.io",
            kind: .counter,
            unit: "By",
            attributes: [Attribute("network.interface.name", "lo")]
        )
        return Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: numbers.lowerBound, last: numbers.upperBound),
            sink: "local",
            resource: Resource(host: "h"),
            series: [series],
            entries: numbers.map { number in
                let time = Timestamp(seconds: 1_767_225_600 + Int64(number))
                let point = MetricPoint(series: series.id, time: time, value: .unsigned(number))
                return Entry(seriesIndex: 0, point: point)
            }
        )
    }

    /// A batch of one point.
    static func of(_ number: UInt64) -> Batch { of(number...number) }

    /// The batch as the format spells it.
    func text(_ format: LineFormat = .json) -> String {
        var buffer = ByteBuffer()
        var encoder = format.makeEncoder()
        _ = encoder.encode(self, into: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// How many bytes it has in JSON.
    var size: Int64 { Int64(text().utf8.count) }
}
