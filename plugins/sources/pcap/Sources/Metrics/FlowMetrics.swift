internal import SondeDomain

/// Metrics of the flows.
enum FlowMetrics {
    private static let cell = ["network.transport", "network.type", "network.io.direction", "sonde.flow.app"]

    static let packets = MetricDefinition(
        "sonde.flow.packet.count",
        .counter,
        unit: "{packet}",
        attributes: cell,
        meaning: "IP packets by transport, family, direction and service."
    )

    static let bytes = MetricDefinition(
        "sonde.flow.io",
        .counter,
        unit: "By",
        attributes: cell,
        meaning: "Bytes of these packets on the wire, whole frames."
    )

    static let withoutFlow = MetricDefinition(
        "sonde.flow.unassigned.count",
        .counter,
        unit: "{packet}",
        meaning: "Packets that belong to no flow: no IP, or no sound IP header."
    )

    static let started = MetricDefinition(
        "sonde.flow.started",
        .counter,
        unit: "{flow}",
        meaning: "Flows that began."
    )

    static let ended = MetricDefinition(
        "sonde.flow.ended",
        .counter,
        unit: "{flow}",
        attributes: ["sonde.flow.end_reason"],
        meaning: "Flows that ended, by reason; evicted ones were dropped because flow_table was full."
    )

    static let active = MetricDefinition(
        "sonde.flow.active",
        .upDown,
        unit: "{flow}",
        meaning: "Flows in the table."
    )

    static let tableSize = MetricDefinition(
        "sonde.flow.table.size",
        .gauge,
        unit: "By",
        meaning: "Memory of the table that has been used; never more than flow_table."
    )

    static let handshake = MetricDefinition(
        "sonde.flow.tcp.handshake.duration",
        .histogram,
        unit: "s",
        meaning: "From a TCP connection's SYN to the ACK that completes it."
    )

    static let acceptance = MetricDefinition(
        "sonde.flow.tcp.acceptance.duration",
        .histogram,
        unit: "s",
        meaning: "From a TCP connection's SYN to the server's SYN/ACK."
    )

    static let duration = MetricDefinition(
        "sonde.flow.duration",
        .histogram,
        unit: "s",
        meaning: "How long flows lasted that have ended."
    )

    static let size = MetricDefinition(
        "sonde.flow.size",
        .histogram,
        unit: "By",
        meaning: "How large flows were that have ended, both directions together."
    )

    static var all: [MetricDefinition] {
        [
            packets, bytes, withoutFlow, started, ended, active, tableSize, handshake, acceptance, duration, size,
        ]
    }
}
