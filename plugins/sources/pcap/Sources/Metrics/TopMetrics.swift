internal import SondeDomain

/// The heaviest keys of an interval, and what is left beside them.
///
/// Gauges: how much of it there was since the samples before. A counter would vanish when its key leaves the top, and what
/// is left would have to go down when one comes in; so the sum over a metric's series is what there was, in every interval.
enum TopMetrics {
    /// The attribute that only the series of what is left has, with the value `other`.
    static let rest = "sonde.top"

    static let peers = MetricDefinition(
        "sonde.flow.top.peer.interval.io",
        .gauge,
        unit: "By",
        attributes: ["network.peer.address", rest],
        meaning: "Bytes of the interval from and to the busiest other hosts."
    )

    static let services = MetricDefinition(
        "sonde.flow.top.service.interval.io",
        .gauge,
        unit: "By",
        attributes: ["network.transport", "server.port", rest],
        meaning: "Bytes of the interval by the busiest ports of servers."
    )

    static let conversations = MetricDefinition(
        "sonde.flow.top.conversation.interval.io",
        .gauge,
        unit: "By",
        attributes: [
            "client.address", "client.port", "server.address", "server.port", "network.transport", "sonde.vlan.id",
            rest,
        ],
        meaning: "Bytes of the interval by the busiest conversations, both directions together."
    )

    static let names = MetricDefinition(
        "sonde.dns.wire.top.name.interval.queries",
        .gauge,
        unit: "{query}",
        attributes: ["sonde.dns.name", rest],
        meaning: "Queries of the interval for the names that were asked for most."
    )

    static let clients = MetricDefinition(
        "sonde.dns.wire.top.client.interval.queries",
        .gauge,
        unit: "{query}",
        attributes: ["client.address", rest],
        meaning: "Queries of the interval by the clients that asked most."
    )

    static let missingNames = MetricDefinition(
        "sonde.dns.wire.top.missing_name.interval.responses",
        .gauge,
        unit: "{response}",
        attributes: ["sonde.dns.name", rest],
        meaning: "NXDOMAIN of the interval for the names that had most of them."
    )

    static var all: [MetricDefinition] { [peers, services, conversations, names, clients, missingNames] }
}
