internal import SondeDNS
internal import SondeDomain
internal import SondePluginKit

/// The heaviest keys of an interval, and what is left beside them.
///
/// Gauges: how much of it there was since the samples before. A counter would vanish when its key leaves the top, and what
/// is left would have to go down when one comes in; so the sum over a metric's series is what there was, in every interval.
enum TopMetrics {
    private static let rest = SampleSheet.topRest

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

    /// Names and clients of DNS.
    static let dns = DNSTopMetrics(
        .wire,
        failing: (
            "missing_name.interval.responses", "{response}",
            "NXDOMAIN of the interval for the names that had most of them."
        )
    )

    static var all: [MetricDefinition] { [peers, services, conversations] + dns.top }
}
