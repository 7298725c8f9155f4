import SondeDomain
import SondePluginKit

extension PingSource {
    static let sent = MetricDefinition(
        "ping.sent", .counter, unit: "{packet}", attributes: ["network.peer.address"],
        meaning: "Echo requests, those that could not be sent included.")
    static let received = MetricDefinition(
        "ping.received", .counter, unit: "{packet}", attributes: ["network.peer.address"],
        meaning: "Echo requests that were answered in time.")
    static let roundTrip = MetricDefinition(
        "ping.round_trip.time", .histogram, unit: "s", attributes: ["network.peer.address"],
        meaning: "From a request to its answer.")

    static let descriptor = PluginDescriptor(
        name: "ping",
        kind: .source,
        version: "1.0.0",
        summary: "Round-trip time and loss to hosts, by ICMP echo.",
        needs: ["a group within net.ipv4.ping_group_range"],
        options: [
            OptionDefinition(
                "hosts", .list, required: true, help: "Addresses of IPv4 or IPv6, at most 64.",
                example: "[192.0.2.1, '2001:db8::1']"),
            OptionDefinition("count", .integer(1...20), default: "3", help: "Requests to each host in an interval."),
            OptionDefinition(
                "spacing", .duration(.milliseconds(10)...(.seconds(1))), default: "200ms",
                help: "The time between two of them."),
            OptionDefinition(
                "timeout", .duration(.milliseconds(10)...(.seconds(10))), default: "1s",
                help: "A request without an answer for so long is lost."),
        ],
        metrics: [sent, received, roundTrip],
        errors: [
            .init(
                "PING-001", meaning: "No ICMP socket can be made.",
                recovery: "Set the sysctl net.ipv4.ping_group_range so that it includes the agent's group."),
            .init("PING-002", meaning: "A host is no address.", recovery: "Write addresses, each once."),
            .init("PING-003", meaning: "Nothing can be sent to a host.", recovery: "Look at routes and the firewall."),
        ]
    )
}
