/// Sockets of one transport, as the kernel counts them without a walk.
///
/// States are only those of the walk: what the kernel counts beside it as established (Tcp.CurrEstab) has close-wait in it,
/// and what it counts in time-wait (sockstat) has a part of fin-wait-2 in it.
public enum SocketGroup: Hashable, Sendable, CaseIterable {
    /// TCP sockets that no process holds any more.
    case tcpOrphaned
    /// TCP sockets in use.
    case tcpInUse
    /// UDP sockets in use.
    case udpInUse
    /// Raw sockets in use.
    case rawInUse

    /// `orphaned` or `in_use`.
    public var state: String {
        switch self {
        case .tcpOrphaned: "orphaned"
        case .tcpInUse, .udpInUse, .rawInUse: "in_use"
        }
    }

    /// The history that is kept of it.
    public var metric: HistoryMetric {
        switch self {
        case .tcpOrphaned, .tcpInUse: .connectionsTCP
        case .udpInUse: .connectionsUDP
        case .rawInUse: .connectionsRaw
        }
    }

    /// The group that a metric counts; several metrics of one group are added up (IPv4 and IPv6).
    public init?(metric name: String) {
        guard let group = Self.groups[name] else { return nil }
        self = group
    }

    /// The metrics that count the sockets of a group.
    static var metrics: [String] { groups.keys.sorted() }

    // net/ipv4/proc.c (sockstat_seq_show) and net/ipv6/proc.c (sockstat6_seq_show): orphan covers both IP versions already.
    private static let groups: [String: SocketGroup] = [
        "sonde.tcp.socket.orphan": .tcpOrphaned,
        "sonde.kernel.sockstat.tcp.inuse": .tcpInUse,
        "sonde.kernel.sockstat.tcp6.inuse": .tcpInUse,
        "sonde.kernel.sockstat.udp.inuse": .udpInUse,
        "sonde.kernel.sockstat.udp6.inuse": .udpInUse,
        "sonde.kernel.sockstat.raw.inuse": .rawInUse,
        "sonde.kernel.sockstat.raw6.inuse": .rawInUse,
    ]
}
