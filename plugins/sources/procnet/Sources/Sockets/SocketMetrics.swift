internal import SondeDomain
internal import SondeNetlink

/// The metrics of sockets.
enum SocketMetrics {
    private static let port = ["network.local.port"]

    static let connections = MetricDefinition(
        "system.network.connections",
        .upDown,
        unit: "{connection}",
        attributes: ["network.transport", "network.type", "network.connection.state"],
        meaning: "Sockets by protocol, address family and state; only at intervals in which they were walked over."
    )

    static let listenerQueue = listener("queue.length", .gauge, "{connection}", "Connections that wait to be accepted.")
    static let listenerLimit = listener("queue.limit", .gauge, "{connection}", "Connections that may wait.")
    static let listenerUse = listener(
        "queue.utilization",
        .gauge,
        "1",
        "How full the accept queue is; of several on one port the fullest."
    )
    static let listenerDrops = listener(
        "drop",
        .counter,
        "{connection}",
        "Connections and segments that the listeners of a port dropped since the source started."
    )

    static let udpDrops = MetricDefinition(
        "sonde.udp.socket.drop",
        .counter,
        unit: "{datagram}",
        attributes: port,
        meaning: "Datagrams that the sockets of a port dropped since it is among the worst; other: all other ports."
    )
    static let udpQueue = MetricDefinition(
        "sonde.udp.socket.queue",
        .gauge,
        unit: "By",
        attributes: port,
        meaning: "Memory of datagrams that wait to be read, of the ports that drop or hold the most; other: the rest."
    )
    static let udpQueues = MetricDefinition(
        "sonde.udp.queue",
        .gauge,
        unit: "By",
        attributes: ["network.type", "network.io.direction"],
        meaning: "Memory of datagrams that wait in all UDP sockets."
    )

    static let walkTime = MetricDefinition(
        "sonde.source.walk.cpu_time",
        .gauge,
        unit: "s",
        attributes: ["sonde.walk.method"],
        meaning: "Processor time of the newest walk over sockets: by netlink, or from text where that is refused."
    )
    static let walkPeriod = MetricDefinition(
        "sonde.source.walk.period",
        .gauge,
        unit: "s",
        attributes: ["sonde.walk.method"],
        meaning: "The least time to the next walk, so that all of them stay within cpu_budget; 60 at most."
    )

    static var all: [MetricDefinition] {
        [
            connections, listenerQueue, listenerLimit, listenerUse, listenerDrops, udpDrops, udpQueue, udpQueues,
            walkTime, walkPeriod,
        ] + DetailMetrics.all
    }

    private static func listener(
        _ name: String,
        _ kind: MetricKind,
        _ unit: String,
        _ meaning: String
    ) -> MetricDefinition {
        MetricDefinition("sonde.tcp.listener.\(name)", kind, unit: unit, attributes: port, meaning: meaning)
    }
}

extension SocketFamily {
    /// The attribute `network.type`.
    var attribute: Attribute { Attribute("network.type", self == .ipv4 ? "ipv4" : "ipv6") }

    /// 0 or 1.
    var index: Int { self == .ipv4 ? 0 : 1 }
}

extension SocketState {
    /// The value of `network.connection.state` (OpenTelemetry) for TCP.
    var word: String {
        switch self {
        case .established: "established"
        case .synSent: "syn_sent"
        case .synReceived: "syn_received"
        case .finWait1: "fin_wait_1"
        case .finWait2: "fin_wait_2"
        case .timeWait: "time_wait"
        case .closed: "closed"
        case .closeWait: "close_wait"
        case .lastAck: "last_ack"
        case .listen: "listen"
        case .closing: "closing"
        }
    }
}
