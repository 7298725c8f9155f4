/// What a reason means for which the kernel drops packets, and what to try: the words of docs/guide/drops.md.
public struct DropAdvice: Hashable, Sendable {
    /// The reasons (`enum skb_drop_reason`, in lower case) that it is about; one that ends in `…` is all that begin so.
    public let reasons: [String]
    /// What it means, in a phrase.
    public let meaning: String
    /// More about it; nil: there is no more.
    public let detail: String?
    /// What to try; nil: nothing, since it is no loss.
    public let advice: String?

    private init(_ reasons: [String], _ meaning: String, detail: String? = nil, advice: String? = nil) {
        self.reasons = reasons
        self.meaning = meaning
        self.detail = detail
        self.advice = advice
    }

    /// The advice on a reason; nil: there is none.
    public init?(on reason: String) {
        let known = Self.all
        let found =
            known.first { $0.reasons.contains(reason) }
            ?? known.first { $0.reasons.contains { Self.begins(reason, $0) } }
        guard let found else { return nil }
        self = found
    }

    private static func begins(_ reason: String, _ pattern: String) -> Bool {
        pattern.hasSuffix("…") && reason.hasPrefix(String(pattern.dropLast()))
    }

    /// All of it, made again at each call, so that it is not kept in memory.
    public static var all: [DropAdvice] { common + others + noLoss }

    // Those that have a section with an experiment.
    private static var common: [DropAdvice] {
        [
            DropAdvice(
                ["no_socket"],
                "nobody listens",
                detail: """
                    A datagram or segment for a port that no program has open; the kernel answers with an ICMP message \
                    or a reset. Scans, a service that has ended, a load balancer that still sends to it. Of UDP it \
                    is UdpNoPorts of netstat.
                    """,
                advice: "ss -lntu for the port; sonde.trace.tcp.reset.sent for TCP."
            ),
            DropAdvice(
                ["socket_rcvbuff"],
                "the program does not read fast enough",
                detail: """
                    The receive buffer of a socket is full, of UDP mostly: UdpRcvbufErrors of netstat. Also what a \
                    capture or a netlink listener misses.
                    """,
                advice: """
                    ss -lunm shows whose buffer is full (d counts drops, r what waits). More CPU or threads for \
                    that program; a larger buffer (SO_RCVBUF, net.core.rmem_max) helps against bursts, not against \
                    a program that is too slow. proto_mem is the limit of all sockets together (net.ipv4.udp_mem), \
                    socket_backlog that of one that is being worked on.
                    """
            ),
            DropAdvice(
                ["netfilter_drop"],
                "a rule",
                detail: "iptables or nftables dropped it, or connection tracking did for them.",
                advice: """
                    nft list ruleset with counters, iptables -nvL; sonde.conntrack.event.drop of procnet where the \
                    table of connections is full.
                    """
            ),
            DropAdvice(
                ["ip_rpfilter"],
                "it came from the wrong side",
                detail: """
                    The reverse path filter (rp_filter): an answer to the sender's address would leave by another \
                    interface. Asymmetric routes, or forged addresses.
                    """,
                advice: """
                    ip route get ADDRESS for a sender that is missed; net.ipv4.conf.*.rp_filter=2 accepts any \
                    interface that has a route back. nstat -az TcpExtIPReversePathFilter counts it per namespace.
                    """
            ),
            DropAdvice(
                ["udp_csum", "tcp_csum", "ip_csum", "icmp_csum"],
                "damaged on the way",
                detail: """
                    The checksum is wrong: bad hardware or memory, a device on the way that rewrites packets \
                    wrongly, or offloading that a driver gets wrong.
                    """,
                advice: """
                    ethtool -S of the interface for errors of the link; ethtool -K eth0 rx off tx off to see \
                    whether offloading is to blame.
                    """
            ),
            DropAdvice(
                ["ip_innoroutes", "ip_outnoroutes"],
                "no way on",
                detail: """
                    A packet to be forwarded, or to be sent, for which there is no route; with a TTL of 1 as well: \
                    the route is looked for first.
                    """,
                advice: "ip route get ADDRESS; IpExtInNoRoutes and IpOutNoRoutes of netstat."
            ),
            DropAdvice(
                ["ip_inhdr"],
                "its header is wrong, or its hops are used up",
                detail: """
                    A router got a packet whose TTL was 1, or a header that cannot be. A traceroute makes some; \
                    many mean a loop of routes.
                    """,
                advice: "traceroute to the destination: a loop shows the same addresses again and again."
            ),
            DropAdvice(
                ["neigh_failed", "neigh_queuefull"],
                "the neighbour does not answer",
                detail: """
                    No host answers ARP (or neighbour discovery) for the next hop. What waits for the answer is \
                    dropped in the end; what does not fit into the queue (unres_qlen_bytes) at once.
                    """,
                advice: """
                    ip neigh for FAILED and INCOMPLETE. A host that is down, a wrong netmask, a VLAN that ends \
                    somewhere.
                    """
            ),
            DropAdvice(
                ["tcp_abort_on_data"],
                "data for a connection that was closed",
                detail: """
                    The program closed its socket, and the other end sent more: the data is lost, and the \
                    connection is reset. Programs that end before they have read everything, proxies whose \
                    timeouts are shorter than those of their clients. TCPAbortOnData of netstat.
                    """,
                advice: """
                    which program closes first, with sonde.trace.tcp.reset.sent; let the end that sends the last \
                    word close.
                    """
            ),
            DropAdvice(
                ["pkt_too_big"],
                "larger than the link, and not to be split",
                detail: """
                    A packet with *don't fragment* for a link with a smaller MTU. The sender gets an ICMP message, and \
                    connections hang where a firewall drops that.
                    """,
                advice: """
                    ping -M do -s 1472 ADDRESS; let ICMP fragmentation needed pass; net.ipv4.tcp_mtu_probing=1.
                    """
            ),
            DropAdvice(
                ["qdisc_drop", "qdisc_overlimit", "fq_…"],
                "the queue of an interface is full",
                detail: """
                    More is sent than the link, or a shaper, lets go: dropped of tc -s qdisc, \
                    sonde.qdisc.packet.dropped of procnet.
                    """,
                advice: """
                    tc -s qdisc show dev eth0 for which class; a shaper that is set too low; fq_codel rather than \
                    a long queue.
                    """
            ),
        ]
    }

    // Those of the table.
    private static var others: [DropAdvice] {
        [
            DropAdvice(
                ["cpu_backlog"],
                "the queue of a processor was full before a packet was looked at",
                advice: "net.core.netdev_max_backlog, more queues of the card; sonde.softnet.packet.dropped"
            ),
            DropAdvice(
                ["full_ring"],
                "a tun, tap or macvtap device was not read fast enough",
                advice: "the virtual machine or VPN behind it"
            ),
            DropAdvice(
                ["tcp_listen_overflow"],
                "connections wait to be accepted, as many as listen allows",
                advice: """
                    sonde.tcp.listener.queue.utilization; a program that accepts faster, a larger backlog and \
                    net.core.somaxconn
                    """
            ),
            DropAdvice(
                ["tcp_overwindow", "tcp_zerowindow"],
                "the sender sent more than the receiver allowed",
                advice: "who does; some middleboxes do"
            ),
            DropAdvice(
                ["tcp_ofomerge", "tcp_old_data", "tcp_too_old_ack"],
                "it has arrived before: retransmissions that were not needed",
                advice: "delay and reordering of the path"
            ),
            DropAdvice(
                ["tcp_rfc7323_paws"],
                "its timestamp is older than the last one",
                advice: "NAT that mixes hosts, tcp_tw_reuse"
            ),
            DropAdvice(
                ["tcp_invalid_sequence", "tcp_reset"],
                "it does not belong to the connection; a reset arrived",
                advice: "load balancers that changed their mind"
            ),
            DropAdvice(
                ["tcp_md5failure", "tcp_aofailure"],
                "the key of BGP and its like is not the other side's",
                advice: "the key"
            ),
            DropAdvice(
                ["otherhost"],
                "it was for another host's hardware address",
                advice: "a switch that floods; captures see it too"
            ),
            DropAdvice(
                ["unhandled_proto"],
                "nothing here speaks that protocol",
                advice: "LLDP, STP and their like; harmless"
            ),
            DropAdvice(
                ["ipv6disabled", "ip_inaddrerrors"],
                "not for this host, or for nobody",
                advice: "ip addr; routes of others that lead here"
            ),
            DropAdvice(
                ["xdp", "tc_ingress", "tc_egress", "bpf_cgroup_egress"],
                "a BPF program or filter said so",
                advice: "bpftool net, tc filter show"
            ),
            DropAdvice(
                ["xfrm_policy"],
                "IPsec wants it encrypted, or does not know it",
                advice: "ip xfrm policy, ip xfrm state"
            ),
            DropAdvice(
                ["nomem", "proto_mem"],
                "no memory",
                advice: "memory of the host; net.ipv4.tcp_mem, udp_mem"
            ),
            DropAdvice(
                ["vxlan_…", "tunnel_…"],
                "a tunnel that is not known, or a wrong header",
                advice: "the VNI at both ends"
            ),
        ]
    }

    // Packets that are freed, and are no loss.
    private static var noLoss: [DropAdvice] {
        [
            DropAdvice(
                ["not_specified"],
                """
                the kernel has no reason for this place yet. Some of it is loss, much of it is not: on older \
                kernels most drops are here.
                """
            ),
            DropAdvice(
                ["queue_purge", "socket_close"],
                """
                what still waited in a queue as its owner closed it; each TCP connection that is closed may \
                free an acknowledgement that way.
                """
            ),
            DropAdvice(
                ["socket_filter"],
                """
                a filter of a socket (that of a capture, of DHCP) did not want its copy. The packet itself \
                went on.
                """
            ),
            DropAdvice(
                ["packet_sock_error", "unix_…"],
                "copies, and local sockets."
            ),
        ]
    }
}
