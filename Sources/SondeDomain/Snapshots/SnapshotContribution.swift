/// What a series contributes to the domain snapshots.
public enum SnapshotContribution: Hashable, Sendable {
    /// Which way bytes went.
    public enum Direction: String, Hashable, Sendable {
        /// They came in.
        case receive
        /// They went out.
        case transmit
    }

    /// One transport and state of the connections snapshot.
    ///
    /// The raw value orders the groups.
    public enum ConnectionGroup: Int, Hashable, Sendable, CaseIterable {
        /// TCP connections established or in close-wait.
        case tcpEstablished
        /// TCP connections in time-wait.
        case tcpTimeWait
        /// TCP sockets that no process holds any more.
        case tcpOrphaned
        /// TCP sockets in use.
        case tcpInUse
        /// UDP sockets in use.
        case udpInUse
        /// Raw sockets in use.
        case rawInUse

        /// `tcp`, `udp`, `raw`.
        public var transport: String {
            switch self {
            case .tcpEstablished, .tcpTimeWait, .tcpOrphaned, .tcpInUse: "tcp"
            case .udpInUse: "udp"
            case .rawInUse: "raw"
            }
        }

        /// `established`, `time_wait`, `orphaned`, `in_use`.
        public var state: String {
            switch self {
            case .tcpEstablished: "established"
            case .tcpTimeWait: "time_wait"
            case .tcpOrphaned: "orphaned"
            case .tcpInUse, .udpInUse, .rawInUse: "in_use"
            }
        }
    }

    /// Bytes of one interface in one direction.
    case bandwidth(interface: String, Direction)
    /// Sockets of one group; several series of one group are added up (IPv4 and IPv6).
    case connections(ConnectionGroup)

    /// What a series contributes, or nil: nothing.
    public init?(_ series: Series) {
        if series.name == "system.network.io" {
            guard
                let interface = series.attribute("network.interface.name"),
                let direction = series.attribute("network.io.direction").flatMap(Direction.init(rawValue:))
            else { return nil }
            self = .bandwidth(interface: interface, direction)
            return
        }
        guard let group = Self.groups[series.name] else { return nil }
        self = .connections(group)
    }

    /// The metrics that tell how many sockets of a group there are.
    static var socketMetrics: [String] { groups.keys.sorted() }

    // net/ipv4/proc.c (sockstat_seq_show, snmp_seq_show_tcp_udp) and net/ipv6/proc.c (sockstat6_seq_show): CurrEstab,
    // tw and orphan cover both IP versions already.
    private static let groups: [String: ConnectionGroup] = [
        "sonde.kernel.tcp.curr_estab": .tcpEstablished,
        "sonde.kernel.sockstat.tcp.tw": .tcpTimeWait,
        "sonde.kernel.sockstat.tcp.orphan": .tcpOrphaned,
        "sonde.kernel.sockstat.tcp.inuse": .tcpInUse,
        "sonde.kernel.sockstat.tcp6.inuse": .tcpInUse,
        "sonde.kernel.sockstat.udp.inuse": .udpInUse,
        "sonde.kernel.sockstat.udp6.inuse": .udpInUse,
        "sonde.kernel.sockstat.raw.inuse": .rawInUse,
        "sonde.kernel.sockstat.raw6.inuse": .rawInUse,
    ]
}
