public import SondeDomain

/// Turns batches into the bytes of one format.
///
/// Keeps what it derived from series between batches, so use one per sink, from one thread. The bytes are a pure
/// function of the batch: a batch that is offered again is the same again.
public protocol BatchEncoder {
    /// Appends a batch to the buffer.
    ///
    /// Points in sequence order unless the format needs another, then documents. What the format cannot express is
    /// left out and counted.
    mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport
}

/// The result of encoding a batch.
public struct EncodingReport: Hashable, Sendable {
    /// Lines written, those that are comments excluded; a histogram may take several.
    public var lines: Int
    /// Points that the format cannot express: NaN, infinity, an integer beyond its range.
    public var leftOut: Int
    /// Documents that the format cannot express.
    public var documentsLeftOut: Int

    /// A report.
    public init(lines: Int = 0, leftOut: Int = 0, documentsLeftOut: Int = 0) {
        self.lines = lines
        self.leftOut = leftOut
        self.documentsLeftOut = documentsLeftOut
    }
}

/// The text formats that sinks offer, by the word that configurations use.
public enum LineFormat: String, CaseIterable, Hashable, Sendable {
    /// One JSON object per line.
    case json
    /// InfluxDB line protocol.
    case influx
    /// Prometheus text exposition 0.0.4.
    case prometheus

    /// A new encoder of this format.
    public func makeEncoder() -> any BatchEncoder {
        switch self {
        case .json: JSONLineEncoder()
        case .influx: InfluxLineEncoder()
        case .prometheus: PrometheusTextEncoder()
        }
    }

    /// The media type of a body in this format.
    public var contentType: String {
        switch self {
        case .json: "application/x-ndjson"
        case .influx: "text/plain; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }
}
