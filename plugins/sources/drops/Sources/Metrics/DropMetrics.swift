internal import SondeDomain

/// What the source reports; all of it is of the whole host, every network namespace together.
enum DropMetrics {
    static let packets = MetricDefinition(
        "sonde.drop.packet.count",
        .counter,
        unit: "{packet}",
        attributes: ["sonde.drop.reason", "network.type", "sonde.scope"],
        meaning: "Packets that the kernel has dropped, by its reason (tracepoint skb:kfree_skb)."
    )

    static let retransmissions = MetricDefinition(
        "sonde.trace.tcp.retransmission.count",
        .counter,
        unit: "{segment}",
        attributes: ["network.connection.state", "sonde.port.class", "network.type", "sonde.scope"],
        meaning:
            "TCP segments sent again, by the state of the connection and the class of the remote port (tcp:tcp_retransmit_skb).",
        level: .extended
    )

    static let sentResets = MetricDefinition(
        "sonde.trace.tcp.reset.sent",
        .counter,
        unit: "{segment}",
        attributes: ["sonde.tcp.reset.reason", "network.type", "sonde.scope"],
        meaning: "TCP resets sent, by the kernel's reason where it has one (tcp:tcp_send_reset; Linux 6.10)."
    )

    static let receivedResets = MetricDefinition(
        "sonde.trace.tcp.reset.received",
        .counter,
        unit: "{segment}",
        attributes: ["network.type", "sonde.scope"],
        meaning: "TCP resets received that ended a connection of this host (tcp:tcp_receive_reset)."
    )

    static let handshakes = MetricDefinition(
        "sonde.trace.tcp.handshake.count",
        .counter,
        unit: "{connection}",
        attributes: ["sonde.tcp.handshake.result", "network.type", "sonde.scope"],
        meaning:
            "Handshakes of TCP that have ended: established and failed ones of clients, accepted ones of servers, and abandoned ones of TCP Fast Open (sock:inet_sock_set_state)."
    )

    /// Other sources are about one network namespace, this one is about all.
    static let scope = Attribute("sonde.scope", "host")

    static let all = [packets, retransmissions, sentResets, receivedResets, handshakes]
}
