internal import SondeDomain

/// The metrics of established connections that take looking at each of them.
enum DetailMetrics {
    /// One quantity of connections.
    struct Quantity: Hashable {
        let median: MetricDefinition
        let upper: MetricDefinition
        let highest: MetricDefinition
        let largest: MetricDefinition

        var all: [MetricDefinition] { [median, upper, highest, largest] }

        init(_ name: String, unit: String, _ what: String) {
            func metric(_ part: String, _ meaning: String) -> MetricDefinition {
                MetricDefinition(
                    "sonde.tcp.connection.\(name).\(part)",
                    .gauge,
                    unit: unit,
                    attributes: ["network.local.port"],
                    meaning: meaning
                )
            }
            median = metric("p50", "\(what): half of the port's connections are at it or below.")
            upper = metric("p95", "\(what): 95 % of the port's connections are at it or below.")
            highest = metric("p99", "\(what): 99 % of the port's connections are at it or below.")
            largest = metric("max", "\(what): the largest of the port's connections.")
        }
    }

    static let count = MetricDefinition(
        "sonde.tcp.connection.current",
        .upDown,
        unit: "{connection}",
        attributes: ["network.local.port"],
        meaning: "Established connections by listening port; other: those that this host began, and further ports."
    )
    static let roundTrip = Quantity("rtt", unit: "s", "The smoothed round-trip time")
    static let shortestRoundTrip = Quantity("min_rtt", unit: "s", "The shortest round-trip time of the last minutes")
    static let retransmitted = Quantity(
        "retransmitted",
        unit: "{segment}",
        "Segments sent again since the connection began"
    )
    static let deliveryRate = Quantity("delivery_rate", unit: "By/s", "The rate at which data arrived at the other end")

    static let cgroupConnections = MetricDefinition(
        "sonde.cgroup.connection.current",
        .upDown,
        unit: "{connection}",
        attributes: ["sonde.cgroup"],
        meaning: "Established TCP connections by unit or container; the 32 with the most, and other."
    )
    static let cgroupIO = MetricDefinition(
        "sonde.cgroup.connection.io.current",
        .upDown,
        unit: "By",
        attributes: ["sonde.cgroup", "network.io.direction"],
        meaning: "Bytes that the open TCP connections have carried since each began; falls when one is closed."
    )

    static var all: [MetricDefinition] {
        [count, cgroupConnections, cgroupIO] + roundTrip.all + shortestRoundTrip.all + retransmitted.all
            + deliveryRate.all
    }
}
