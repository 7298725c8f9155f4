/// What the kernel counts as dropped without saying why, and the reasons that it frees such packets for.
public enum DropCounter: String, Hashable, Sendable, CaseIterable {
    /// `dropped` of interfaces.
    case interface = "interface_dropped"
    /// `dropped` of their queues.
    case queue = "queue_dropped"
    /// Receive errors of UDP: full buffers and wrong checksums.
    case udpReceive = "udp_receive_errors"
    /// Overflows of queues of connections that wait to be accepted.
    case listen = "listen_overflows"
    /// Packets without a route.
    case noRoute = "no_route"

    /// The reasons (`enum skb_drop_reason`, in lower case) of what it counts.
    public var reasons: Set<String> {
        switch self {
        case .interface:
            [
                "cpu_backlog", "unhandled_proto", "full_ring", "dev_hdr", "dev_ready", "nomem", "xdp", "tc_ingress",
                "tap_filter", "tap_txfilter", "hdr_trunc", "skb_ucopy_fault", "recursion_limit",
            ]
        case .queue:
            [
                "qdisc_drop", "qdisc_overlimit", "qdisc_congested", "cake_flood", "fq_band_limit", "fq_horizon_limit",
                "fq_flow_limit", "dualpi2_step_drop", "tc_egress",
            ]
        case .udpReceive: ["socket_rcvbuff", "udp_csum"]
        case .listen: ["tcp_listen_overflow"]
        case .noRoute: ["ip_innoroutes", "ip_outnoroutes"]
        }
    }

    /// The counter that a series belongs to; nil: none.
    init?(_ series: Series) {
        switch series.name {
        case "system.network.packet.dropped": self = .interface
        case "sonde.qdisc.packet.dropped": self = .queue
        case "sonde.tcp.listen.overflow": self = .listen
        case "sonde.ip.packet.no_route": self = .noRoute
        case "sonde.udp.datagram.error":
            guard let type = series.attribute("error.type"), ["rcvbuf", "checksum"].contains(type) else { return nil }
            self = .udpReceive
        default: return nil
        }
    }
}
