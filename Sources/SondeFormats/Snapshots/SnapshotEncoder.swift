public import SondeDomain

/// Writes domain snapshots as documents, `sonde.snapshot/1`: one JSON object each, unknown values as `null`.
public struct SnapshotEncoder: Sendable {
    /// What every document of these says it is.
    public static let schema = "sonde.snapshot/1"

    private let host: String?
    private let labels: [Attribute]
    private let window: String
    private var time = TimeText()
    private var buffer = ByteBuffer()

    /// An encoder for an agent's snapshots; `window` is written as it is, `1h`.
    public init(host: String?, labels: [Attribute], window: String) {
        self.host = host
        self.labels = labels
        self.window = window
    }

    /// The document of a bandwidth snapshot; bytes per second.
    public mutating func document(_ snapshot: BandwidthSnapshot) -> Document {
        begin("bandwidth", snapshot.time, snapshot.source)
        buffer.append(literal: #","interfaces":["#)
        for (index, interface) in snapshot.interfaces.enumerated() {
            buffer.append(literal: index > 0 ? #",{"name":"# : #"{"name":"#)
            buffer.append(jsonString: interface.name)
            buffer.append(literal: #","receive":{"#)
            append(interface.receive)
            buffer.append(literal: #"},"transmit":{"#)
            append(interface.transmit)
            buffer.append(literal: "}}")
        }
        // Which interfaces carry the host's traffic is not known from these counters alone.
        buffer.append(literal: #"],"total":null}"#)
        return Document(schema: Self.schema, time: snapshot.time, json: buffer.bytes)
    }

    /// The document of a connections snapshot.
    public mutating func document(_ snapshot: ConnectionsSnapshot) -> Document {
        begin("connections", snapshot.time, snapshot.source)
        buffer.append(literal: #","protocols":["#)
        for (index, group) in snapshot.groups.enumerated() {
            buffer.append(literal: index > 0 ? #",{"transport":"# : #"{"transport":"#)
            buffer.append(jsonString: group.transport)
            buffer.append(literal: #","state":"#)
            buffer.append(jsonString: group.state)
            buffer.append(0x2c)
            append(group.count)
            buffer.append(0x7d)
        }
        buffer.append(literal: "]}")
        return Document(schema: Self.schema, time: snapshot.time, json: buffer.bytes)
    }

    private mutating func begin(_ domain: StaticString, _ instant: Timestamp, _ source: String) {
        buffer.removeAll()
        buffer.append(literal: #"{"schema":"sonde.snapshot/1","domain":""#)
        buffer.append(literal: domain)
        buffer.append(literal: #"","time":""#)
        time.append(instant, to: &buffer)
        buffer.append(0x22)
        if let host {
            buffer.append(literal: #","host":"#)
            buffer.append(jsonString: host)
        }
        appendLabels()
        buffer.append(literal: #","source":"#)
        buffer.append(jsonString: source)
        buffer.append(literal: #","window":"#)
        buffer.append(jsonString: window)
    }

    private mutating func appendLabels() {
        guard !labels.isEmpty else { return }
        buffer.append(literal: #","labels":{"#)
        for (index, label) in labels.enumerated() {
            if index > 0 { buffer.append(0x2c) }
            buffer.append(jsonString: label.name)
            buffer.append(0x3a)
            buffer.append(jsonString: label.value)
        }
        buffer.append(0x7d)
    }

    private mutating func append(_ values: CurrentAveragePeak) {
        append(#""current":"#, values.current)
        append(#","average":"#, values.average)
        append(#","peak":"#, values.peak)
    }

    private mutating func append(_ key: StaticString, _ value: Double?) {
        buffer.append(literal: key)
        guard let value else {
            buffer.append(literal: "null")
            return
        }
        buffer.append(jsonNumber: value)
    }
}
