internal import SondeDomain

/// The rates of uplinks and of the host, the host's counters, and which interfaces they are of.
enum RateMetrics {
    private static let direction = ["network.io.direction"]
    private static let interface = ["network.interface.name", "network.io.direction"]

    static let average = rate("interface.rate.average", interface, "Bytes per second since the reading before.")
    static let peak = rate("interface.rate.peak", interface, "The highest rate of one step since the reading before.")
    static let upper = rate("interface.rate.p95", interface, "The rate that 95 % of the steps did not exceed.")
    static let step = MetricDefinition(
        "sonde.network.interface.rate.step",
        .gauge,
        unit: "s",
        attributes: ["network.interface.name"],
        meaning: "The time that the peak is an average over: between two readings, or two refreshes of the driver."
    )

    static let hostIO = MetricDefinition(
        "sonde.network.host.io",
        .counter,
        unit: "By",
        attributes: direction,
        meaning: "Bytes that all uplinks received or sent together; absent while there is no uplink."
    )
    static let hostPackets = MetricDefinition(
        "sonde.network.host.packet.count",
        .counter,
        unit: "{packet}",
        attributes: direction,
        meaning: "Packets that all uplinks received or sent together."
    )
    static let hostAverage = rate("host.rate.average", direction, "Bytes per second of all uplinks together.")
    static let hostPeak = rate("host.rate.peak", direction, "The largest sum over the uplinks of one tick.")
    static let hostUpper = rate("host.rate.p95", direction, "The sum that 95 % of the ticks did not exceed.")
    static let hostStep = MetricDefinition(
        "sonde.network.host.rate.step",
        .gauge,
        unit: "s",
        meaning: "The time that the peak of all uplinks together is an average over."
    )
    static let uplink = MetricDefinition(
        "sonde.network.uplink",
        .info,
        unit: "",
        attributes: ["network.interface.name", "sonde.uplink.rule"],
        meaning: "An interface that the host's total is the sum of, and the rule that chose it."
    )
    static let namespace = MetricDefinition(
        "sonde.network.namespace",
        .info,
        unit: "",
        attributes: ["sonde.netns", "sonde.netns.id", "sonde.netns.scope"],
        meaning: "The network namespace that everything of this source is about."
    )

    static let all = [
        average, peak, upper, step, hostIO, hostPackets, hostAverage, hostPeak, hostUpper, hostStep, uplink, namespace,
    ]

    private static func rate(_ name: String, _ attributes: [String], _ meaning: String) -> MetricDefinition {
        MetricDefinition("sonde.network.\(name)", .gauge, unit: "By/s", attributes: attributes, meaning: meaning)
    }
}
