internal import SondeDomain
internal import SondePluginKit

/// Metrics of the frames, over all interfaces.
enum FrameMetrics {
    static let packets = MetricDefinition(
        "sonde.frame.count",
        .counter,
        unit: "{packet}",
        attributes: ["network.type"],
        meaning: "Frames by what they carry: ipv4, ipv6 or other."
    )

    static let bytes = MetricDefinition(
        "sonde.frame.io",
        .counter,
        unit: "By",
        attributes: ["network.type"],
        meaning: "Bytes of these frames on the wire."
    )

    static let fragments = MetricDefinition(
        "sonde.frame.fragment.count",
        .counter,
        unit: "{packet}",
        meaning: "Pieces of fragmented packets, first ones included."
    )

    static let malformed = MetricDefinition(
        "sonde.frame.malformed.count",
        .counter,
        unit: "{packet}",
        meaning: "Frames with a broken header before the transport."
    )

    static let truncated = MetricDefinition(
        "sonde.frame.truncated.count",
        .counter,
        unit: "{packet}",
        meaning: "Frames that the capture cut inside of a header."
    )

    static let unknownLink = MetricDefinition(
        "sonde.frame.unknown_link.count",
        .counter,
        unit: "{packet}",
        meaning: "Frames of a link type that cannot be decoded."
    )

    static let transports = MetricDefinition(
        "sonde.frame.transport.count",
        .counter,
        unit: "{packet}",
        attributes: ["network.transport"],
        meaning: "Frames that carry tcp, udp or icmp; fragments behind the first one are in none of them."
    )

    static var all: [MetricDefinition] { [packets, bytes, transports, fragments, malformed, truncated, unknownLink] }
}

extension SampleSheet {
    /// Adds the totals of the frames.
    func add(_ frames: FrameCounts) {
        let kinds = [("ipv4", frames.ipv4), ("ipv6", frames.ipv6), ("other", frames.other)]
        for (cell, (name, count)) in kinds.enumerated() {
            self.count(FrameMetrics.packets, count.packets, cell: cell, [Attribute("network.type", name)])
            self.count(FrameMetrics.bytes, count.bytes, cell: cell, [Attribute("network.type", name)])
        }
        for (cell, (name, count)) in [("tcp", frames.tcp), ("udp", frames.udp), ("icmp", frames.icmp)].enumerated() {
            self.count(FrameMetrics.transports, count, cell: cell, [Attribute("network.transport", name)])
        }
        add(FrameMetrics.fragments, .unsigned(frames.fragments))
        add(FrameMetrics.malformed, .unsigned(frames.malformed))
        add(FrameMetrics.truncated, .unsigned(frames.truncated))
        add(FrameMetrics.unknownLink, .unsigned(frames.unknownLink))
    }
}
