internal import SondeDomain

extension LinkMetrics {
    private static let interface = ["network.interface.name"]
    private static let interfaceAndDirection = ["network.interface.name", "network.io.direction"]

    static let up = gauge("up", "", "1 when the interface is switched on and has a carrier, else 0.")
    static let speed = gauge("speed", "By/s", "What the link carries, as reported by its driver.")
    static let mtu = gauge("mtu", "By", "The largest packet that is sent whole.")
    static let queueLength = gauge("transmit_queue_length", "{packet}", "Packets that may wait to be sent.")
    static let carrierChanges = counter("carrier_change", "{change}", "The carrier came or went.")
    static let carrierUps = counter("carrier_up", "{change}", "The carrier came.")
    static let carrierDowns = counter("carrier_down", "{change}", "The carrier went.")

    static let utilization = MetricDefinition(
        "sonde.network.interface.utilization",
        .gauge,
        unit: "1",
        attributes: interfaceAndDirection,
        meaning: "The average rate since the reading before, as a share of the speed; absent where that is unknown."
    )
    static let info = MetricDefinition(
        "sonde.network.interface.info",
        .info,
        unit: "",
        attributes: [
            "network.interface.name", "sonde.link.index", "sonde.link.kind", "sonde.link.type", "sonde.link.operstate",
            "sonde.link.adminstate", "sonde.link.address", "sonde.link.broadcast", "sonde.link.alias",
            "sonde.link.duplex", "sonde.link.master", "sonde.link.lower", "sonde.link.peer_namespace",
            "sonde.link.group", "sonde.link.hardware_type", "sonde.link.flags",
        ],
        meaning: "What the interface is; an attribute that it has not is left out."
    )
    static let verdict = MetricDefinition(
        "sonde.network.interface.counter_event",
        .counter,
        unit: "{event}",
        attributes: ["network.interface.name", "sonde.counter.verdict", "sonde.counter.cause"],
        meaning: "Counters of the interface that were wrapped, reset, recreated or renamed; absent while none was."
    )
    static let count = MetricDefinition(
        "sonde.network.interface.current",
        .gauge,
        unit: "{interface}",
        attributes: ["sonde.link.kind"],
        meaning: "Interfaces that there are, by kind."
    )
    static let summedUp = MetricDefinition(
        "sonde.network.interface.summed_up",
        .gauge,
        unit: "{interface}",
        meaning: "Virtual interfaces in the sum `virtual/other`; absent while there is no such sum."
    )

    /// For the catalog.
    static var all: [MetricDefinition] {
        var names: Set<String> = []
        let state = [
            up, speed, utilization, mtu, queueLength, carrierChanges, carrierUps, carrierDowns, info, verdict, count,
            summedUp,
        ]
        return (counters.map(\.metric) + state + RateMetrics.all).filter { names.insert($0.name).inserted }
    }

    private static func gauge(_ name: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition(
            "sonde.network.interface.\(name)",
            .gauge,
            unit: unit,
            attributes: interface,
            meaning: meaning
        )
    }

    private static func counter(_ name: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition(
            "sonde.network.interface.\(name)",
            .counter,
            unit: unit,
            attributes: interface,
            meaning: meaning
        )
    }
}
