import SondeDomain
import SondeFormats

extension Batch {
    static let agent = "0b9c6c1e-8d35-4a55-9d4b-1f0f6f1f2a11"

    /// A batch of so many points, each of a series of its own.
    static func sample(_ count: Int = 2, first: UInt64 = 41, attempt: Int = 0) -> Batch {
        let series = (0..<count).map { index in
            Series(
                id: SeriesID(rawValue: UInt64(index) + 1), source: "kernel", name: "system.network.io", kind: .counter,
                unit: "By", attributes: [Attribute("network.interface.name", "eth\(index)")])
        }
        let time = Timestamp(seconds: 1_767_225_600)
        return Batch(
            identity: BatchIdentity(agent: agent, epoch: "e1", first: first, last: first + UInt64(count) - 1),
            sink: "central", attempt: attempt, resource: Resource(host: "h"), series: series,
            entries: series.enumerated().map { index, series in
                Entry(
                    seriesIndex: index,
                    point: MetricPoint(series: series.id, time: time, value: .unsigned(first + UInt64(index))))
            })
    }

    /// A batch that is a document of so many bytes and a few more.
    static func document(_ size: Int) -> Batch {
        let json = Array("{\"a\":\"".utf8) + [UInt8](repeating: 0x78, count: size) + Array("\"}".utf8)
        return Batch(
            identity: BatchIdentity(agent: agent, epoch: "e1", first: 1, last: 1), sink: "central",
            documents: [Document(schema: "sonde.snapshot/1", time: Timestamp(seconds: 1), json: json)])
    }

    /// The lines as JSON has them.
    var lines: [UInt8] {
        var buffer = ByteBuffer()
        var encoder = JSONLineEncoder()
        _ = encoder.encode(self, into: &buffer)
        return buffer.bytes
    }

    /// The request as OTLP has it.
    var request: [UInt8] {
        var buffer = ByteBuffer()
        var encoder = OTLPEncoder()
        _ = encoder.encode(self, into: &buffer)
        return buffer.bytes
    }
}
