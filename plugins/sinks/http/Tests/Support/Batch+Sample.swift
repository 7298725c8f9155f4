import SondeDomain
import SondeFormats

extension Batch {
    static let agent = "0b9c6c1e-8d35-4a55-9d4b-1f0f6f1f2a11"

    /// A batch of two points.
    static func sample(attempt: Int = 0, sink: String = "central", first: UInt64 = 41) -> Batch {
        let series = [
            Series(
                id: SeriesID(rawValue: 1),
                source: "kernel",
                name: "system.network.io",
                kind: .counter,
                unit: "By",
                attributes: [Attribute("network.interface.name", "lo")],
                labels: [Attribute("site", "fra\"1")]
            ),
            Series(id: SeriesID(rawValue: 2), source: "kernel", name: "test.ratio", kind: .gauge, unit: "1"),
        ]
        let time = Timestamp(seconds: 1_767_225_600)
        return Batch(
            identity: BatchIdentity(agent: agent, epoch: "e1", first: first, last: first + 1),
            sink: sink,
            attempt: attempt,
            resource: Resource(host: "h"),
            series: series,
            entries: [
                Entry(seriesIndex: 0, point: MetricPoint(series: series[0].id, time: time, value: .unsigned(.max))),
                Entry(seriesIndex: 1, point: MetricPoint(series: series[1].id, time: time, value: .double(0.5))),
            ]
        )
    }

    /// A batch whose body is one line of `size` bytes and a few more.
    static func large(_ size: Int) -> Batch {
        let json = Array("{\"a\":\"".utf8) + [UInt8](repeating: 0x78, count: size) + Array("\"}".utf8)
        return Batch(
            identity: BatchIdentity(agent: agent, epoch: "e1", first: 1, last: 1),
            sink: "central",
            documents: [Document(schema: "sonde.snapshot/1", time: Timestamp(seconds: 1), json: json)]
        )
    }

    /// The body as the format writes it.
    var expectedBody: [UInt8] { body(in: .json) }

    /// The body in a format.
    func body(in format: LineFormat) -> [UInt8] {
        var buffer = ByteBuffer()
        var encoder = format.makeEncoder()
        _ = encoder.encode(self, into: &buffer)
        return buffer.bytes
    }
}
