internal import SondeDomain
internal import SondePluginKit

/// Metrics of TCP segments, over all flows.
enum TCPMetrics {
    static let segments = MetricDefinition(
        "sonde.flow.tcp.segment.count",
        .counter,
        unit: "{segment}",
        meaning: "TCP segments with a sound header."
    )

    static let flags = MetricDefinition(
        "sonde.flow.tcp.flag.count",
        .counter,
        unit: "{segment}",
        attributes: ["sonde.tcp.flag"],
        meaning: "Segments with syn, syn_ack, fin or rst."
    )

    static let retransmissions = MetricDefinition(
        "sonde.flow.tcp.retransmission.count",
        .counter,
        unit: "{segment}",
        attributes: ["sonde.tcp.retransmission"],
        meaning:
            "Segments sent again: after a timeout, fast after duplicate acknowledgements, spurious ones for nothing."
    )

    static let outOfOrder = MetricDefinition(
        "sonde.flow.tcp.out_of_order.count",
        .counter,
        unit: "{segment}",
        meaning: "Segments that others have overtaken on the way."
    )

    static let keepAlives = MetricDefinition(
        "sonde.flow.tcp.keep_alive.count",
        .counter,
        unit: "{segment}",
        meaning: "Keep-alives."
    )

    static let zeroWindows = MetricDefinition(
        "sonde.flow.tcp.zero_window.count",
        .counter,
        unit: "{segment}",
        meaning: "Segments whose sender takes no more data."
    )

    static let zeroWindowProbes = MetricDefinition(
        "sonde.flow.tcp.zero_window_probe.count",
        .counter,
        unit: "{segment}",
        meaning: "Segments that ask such a receiver whether it takes data again."
    )

    static var all: [MetricDefinition] {
        [segments, flags, retransmissions, outOfOrder, keepAlives, zeroWindows, zeroWindowProbes]
    }
}

extension SampleSheet {
    /// Adds the totals of TCP segments.
    func add(_ tcp: TCPCounts) {
        add(TCPMetrics.segments, .unsigned(tcp.segments))
        let flags = [
            ("syn", tcp.requests), ("syn_ack", tcp.acceptances), ("fin", tcp.finishes), ("rst", tcp.resets),
        ]
        for (cell, (name, number)) in flags.enumerated() {
            count(TCPMetrics.flags, number, cell: cell, [Attribute("sonde.tcp.flag", name)])
        }
        let again = [
            ("timeout", tcp.retransmissions), ("fast", tcp.fastRetransmissions),
            ("spurious", tcp.spuriousRetransmissions),
        ]
        for (cell, (name, number)) in again.enumerated() {
            count(TCPMetrics.retransmissions, number, cell: cell, [Attribute("sonde.tcp.retransmission", name)])
        }
        add(TCPMetrics.outOfOrder, .unsigned(tcp.outOfOrder))
        add(TCPMetrics.keepAlives, .unsigned(tcp.keepAlives))
        add(TCPMetrics.zeroWindows, .unsigned(tcp.zeroWindows))
        add(TCPMetrics.zeroWindowProbes, .unsigned(tcp.zeroWindowProbes))
    }
}
