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
