internal import SondeDomain

/// From which level on each metric is sent.
///
/// What is not in core has another name there (`tcp.curr_estab`, `sockstat.tcp.tw`), says nothing alone, or is seldom looked
/// for. Interfaces that are no uplinks are extended, whatever their metrics are.
enum MetricLevels {
    /// The level of a metric of the catalog.
    static func level(of name: String) -> MetricLevel {
        if core.contains(name) { return .core }
        let isOfEverything = everything.contains { name.hasPrefix($0) }
        return isOfEverything ? .all : .extended
    }

    /// The level of a series of an interface.
    static func level(of metric: MetricDefinition, isUplink: Bool) -> MetricLevel {
        let level = level(of: metric.name)
        return isUplink ? level : max(level, .extended)
    }

    static let core: Set<String> = Set(
        interfaces + [
            "sonde.network.host.io", "sonde.network.host.packet.count", "sonde.network.host.rate.peak",
            "sonde.network.uplink", "sonde.network.namespace",
            "sonde.ip.packet.discarded", "sonde.ip.packet.no_route", "sonde.ip.fragment.reassembly_failed",
            "sonde.tcp.segment.count", "sonde.tcp.segment.retransmitted", "sonde.tcp.segment.error",
            "sonde.tcp.connection.opened", "sonde.tcp.connection.failed", "sonde.tcp.connection.reset",
            "sonde.tcp.reset.sent", "sonde.tcp.timeout", "sonde.tcp.listen.overflow", "sonde.tcp.listen.drop",
            "sonde.tcp.syn.retransmitted", "sonde.tcp.syn_cookie.sent", "sonde.tcp.request_queue.drop",
            "sonde.tcp.connection.aborted_on_memory", "sonde.tcp.memory.pressure", "sonde.tcp.receive_queue.drop",
            "sonde.udp.datagram.count", "sonde.udp.datagram.error",
            "system.network.connections", "sonde.socket.current", "sonde.tcp.socket.orphan",
            "sonde.tcp.memory.usage", "sonde.udp.memory.usage",
            "sonde.tcp.listener.queue.utilization", "sonde.tcp.listener.drop",
            "sonde.softnet.packet.processed", "sonde.softnet.packet.dropped", "sonde.softnet.squeezed",
            "sonde.conntrack.entry.current", "sonde.conntrack.entry.limit", "sonde.conntrack.event.drop",
            "sonde.conntrack.event.insert_failed", "sonde.conntrack.event.early_drop",
            "sonde.neighbour.event.table_fulls", "sonde.icmp.message.error",
            "sonde.source.input.skipped",
        ])

    private static let interfaces = [
        "system.network.io", "system.network.packet.count", "system.network.errors", "system.network.packet.dropped",
        "sonde.network.interface.up", "sonde.network.interface.speed", "sonde.network.interface.utilization",
        "sonde.network.interface.rate.peak", "sonde.network.interface.missed", "sonde.network.interface.crc_error",
        "sonde.network.interface.carrier_change", "sonde.network.interface.info",
        "sonde.network.interface.counter_event",
        "sonde.qdisc.packet.dropped", "sonde.qdisc.queue.backlog",
    ]

    // One series per processor, one for each of the 52 types of a message, and what has no name but the kernel's.
    private static let everything = [
        "sonde.kernel.", "sonde.icmp.message.count", "sonde.conntrack.cpu.", "sonde.softnet.cpu.",
    ]
}
