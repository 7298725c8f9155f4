internal import SondeDomain

/// Metrics of the socket for dnstap, in place of those of logs.
enum DnstapMetrics {
    static let frames = counter("frame.count", "{frame}", "Messages that came, of every kind.")
    static let malformed = counter(
        "frame.malformed", "{frame}", "Messages that cannot be read, or hold no DNS message where there should be one.")
    static let skipped = counter("frame.skipped", "{frame}", "Messages that were too long to be read.")
    static let connections = counter("connection.count", "{connection}", "Senders that have come.")
    static let broken = counter(
        "connection.broken", "{connection}", "Senders that were cut off because what they sent is no dnstap.")
    static let refused = counter(
        "connection.refused", "{connection}", "Senders that were turned away because there were too many.")
    static let open = MetricDefinition(
        "sonde.dns.dnstap.connection.open", .gauge, unit: "{connection}", meaning: "Senders that are connected."
    )

    static var all: [MetricDefinition] { [frames, malformed, skipped, connections, broken, refused, open] }

    private static func counter(_ name: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition("sonde.dns.dnstap." + name, .counter, unit: unit, meaning: meaning)
    }
}
