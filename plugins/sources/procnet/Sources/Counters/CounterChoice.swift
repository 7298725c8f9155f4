internal import SondeDomain

/// Which columns of snmp, snmp6 and netstat are reported: the option `counters`.
struct CounterChoice {
    /// The option's value for ``headline`` columns.
    static let headlineWord = "headline"
    /// The option's value for every column.
    static let allWord = "all"

    /// What most people look at (metrics of node_exporter's default and Netdata's charts), by row and column.
    private static let headline: [String: Set<Substring>] = {
        let rows = [
            "Ip": """
            Forwarding InReceives OutRequests InDiscards OutDiscards InHdrErrors InAddrErrors OutNoRoutes \
            ForwDatagrams FragOKs FragFails FragCreates ReasmReqds ReasmOKs ReasmFails ReasmTimeout
            """,
            "Ip6": """
            InReceives OutRequests InDiscards OutDiscards InHdrErrors InAddrErrors InNoRoutes OutNoRoutes \
            OutForwDatagrams InTruncatedPkts FragOKs FragFails FragCreates ReasmReqds ReasmOKs ReasmFails \
            ReasmTimeout InOctets OutOctets InMcastPkts OutMcastPkts InMcastOctets OutMcastOctets InBcastOctets \
            OutBcastOctets InNoECTPkts InECT1Pkts InECT0Pkts InCEPkts
            """,
            "IpExt": """
            InOctets OutOctets InNoRoutes InTruncatedPkts InMcastPkts OutMcastPkts InBcastPkts OutBcastPkts \
            InMcastOctets OutMcastOctets InBcastOctets OutBcastOctets InNoECTPkts InECT1Pkts InECT0Pkts InCEPkts
            """,
            "Tcp": """
            CurrEstab ActiveOpens PassiveOpens AttemptFails EstabResets InSegs OutSegs RetransSegs InErrs \
            InCsumErrors OutRsts
            """,
            "TcpExt": """
            ListenOverflows ListenDrops SyncookiesSent SyncookiesRecv SyncookiesFailed TCPSynRetrans TCPTimeouts \
            TCPOFOQueue TCPOFODrop TCPOFOMerge OfoPruned TCPRcvQDrop TCPMemoryPressures TCPAbortOnData \
            TCPAbortOnClose TCPAbortOnMemory TCPAbortOnTimeout TCPAbortOnLinger TCPAbortFailed TCPTSReorder \
            TCPSACKReorder TCPRenoReorder TCPFACKReorder TCPReqQFullDrop TCPReqQFullDoCookies
            """,
            "Udp": udp, "Udp6": udp, "UdpLite": udp, "UdpLite6": udp, "Icmp": icmp, "Icmp6": icmp,
        ]
        return rows.mapValues { Set($0.split(separator: " ")) }
    }()

    private static let udp =
        "InDatagrams OutDatagrams NoPorts InErrors RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti"
    /// And every type of message.
    private static let icmp = "InMsgs InErrors InCsumErrors OutMsgs OutErrors"

    private let isAll: Bool
    private let hasHeadline: Bool
    /// Nil: no column by its name.
    private let names: GlobFilter?

    /// The words and globs of the option; only ``headlineWord`` when there are none.
    init(_ words: [String] = []) {
        isAll = words.contains(Self.allWord)
        hasHeadline = words.isEmpty || words.contains(Self.headlineWord)
        let globs = words.filter { $0 != Self.allWord && $0 != Self.headlineWord }
        names = globs.isEmpty ? nil : GlobFilter(include: globs, exclude: [])
    }

    /// Whether a column is reported; globs are about `TcpExt.TCPOFOQueue`.
    func passes(row: String, column: String) -> Bool {
        if isAll { return true }
        if hasHeadline, Self.isHeadline(row: row, column: column) { return true }
        return names?.passes("\(row).\(column)") ?? false
    }

    /// Whether the column is among the ones that most people look at.
    static func isHeadline(row: String, column: String) -> Bool {
        if headline[row]?.contains(column[...]) == true { return true }
        let family: AddressFamily
        switch row {
        case "Icmp", "IcmpMsg": family = .ipv4
        case "Icmp6": family = .ipv6
        default: return false
        }
        return ICMPType.column(column, of: family) != nil
    }
}
