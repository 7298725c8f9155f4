internal import SondeDomain
internal import SondePluginKit

/// What the frames come to, on all interfaces together.
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

    static var all: [MetricDefinition] { [packets, bytes, fragments, malformed, truncated] }
}

extension SampleSheet {
    /// Adds what the frames come to.
    func add(_ frames: FrameCounts) {
        let kinds = [("ipv4", frames.ipv4), ("ipv6", frames.ipv6), ("other", frames.other)]
        for (cell, (name, count)) in kinds.enumerated() {
            self.count(FrameMetrics.packets, count.packets, cell: cell, [Attribute("network.type", name)])
            self.count(FrameMetrics.bytes, count.bytes, cell: cell, [Attribute("network.type", name)])
        }
        add(FrameMetrics.fragments, .unsigned(frames.fragments))
        add(FrameMetrics.malformed, .unsigned(frames.malformed))
        add(FrameMetrics.truncated, .unsigned(frames.truncated))
    }
}
