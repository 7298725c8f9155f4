internal import SondeDomain

/// Metrics of live capture itself.
enum CaptureMetrics {
    private static let interface = "network.interface.name"

    static let packets = MetricDefinition(
        "sonde.capture.packet.count",
        .counter,
        unit: "{packet}",
        attributes: [interface],
        meaning: "Packets that were captured and read."
    )

    static let bytes = MetricDefinition(
        "sonde.capture.io",
        .counter,
        unit: "By",
        attributes: [interface],
        meaning: "Bytes of these packets on the wire, whole frames without preamble and checksum."
    )

    static let dropped = MetricDefinition(
        "sonde.capture.packet.dropped",
        .counter,
        unit: "{packet}",
        attributes: [interface],
        meaning: "Packets that the kernel dropped because its buffer was full."
    )

    static let droppedByInterface = MetricDefinition(
        "sonde.capture.packet.interface_dropped",
        .counter,
        unit: "{packet}",
        attributes: [interface],
        meaning: "Packets that the interface or its driver dropped while capturing; absent with interface any."
    )

    static let active = MetricDefinition(
        "sonde.capture.active",
        .gauge,
        unit: "",
        attributes: [interface],
        meaning: "1 while the interface is captured on, 0 while it cannot be."
    )

    static let receivedBytes = MetricDefinition(
        "sonde.capture.received.io",
        .counter,
        unit: "By",
        attributes: [interface, "sonde.counted_by"],
        meaning: "Bytes that the interface received, by the capture and by the kernel, of the same stretches of time."
    )

    static let receivedPackets = MetricDefinition(
        "sonde.capture.received.count",
        .counter,
        unit: "{packet}",
        attributes: [interface, "sonde.counted_by"],
        meaning: "Packets of these bytes; fewer by the capture where the kernel puts packets together before it."
    )

    static let filtered = MetricDefinition(
        "sonde.capture.filtered",
        .gauge,
        unit: "",
        meaning: "1 where the option filter leaves packets out, else 0."
    )

    static let all = [
        packets, bytes, dropped, droppedByInterface, active, receivedBytes, receivedPackets, filtered,
    ]
}
