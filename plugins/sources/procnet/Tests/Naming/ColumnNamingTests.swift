import Glibc
import SondeDomain
import Testing

@testable import ProcNetPlugin

@Suite struct ColumnNamingTests {
    private func column(_ row: String, _ name: String, _ table: ProcTable) throws -> TableColumn {
        try #require(ColumnNaming.column(name, row: row, table: table))
    }

    @Test(arguments: [
        ("Tcp", "OutRsts", ProcTable.snmp, "sonde.tcp.reset.sent", "{segment}"),
        ("UdpLite", "MemErrors", .snmp, "sonde.kernel.udplite.mem_errors", "{datagram}"),
        ("TcpExt", "TCPOFOQueue", .netstat, "sonde.kernel.tcp_ext.tcp_ofo_queue", "{event}"),
        ("TcpExt", "TCPMemoryPressuresChrono", .netstat, "sonde.kernel.tcp_ext.tcp_memory_pressures_chrono", "s"),
        ("IpExt", "InOctets", .netstat, "sonde.kernel.ip_ext.in_octets", "By"),
        ("MPTcpExt", "MPJoinSynRx", .netstat, "sonde.kernel.mptcp_ext.mp_join_syn_rx", "{event}"),
        ("XfrmExt", "Made", .netstat, "sonde.kernel.xfrm_ext.made", "{event}"),
        ("Ip6", "InOctets", .snmp6, "sonde.kernel.ip6.in_octets", "By"),
        ("UdpLite6", "NoPorts", .snmp6, "sonde.kernel.udplite6.no_ports", "{datagram}"),
    ])
    func aColumnWithoutANameFollowsTheRule(
        row: String,
        name: String,
        table: ProcTable,
        expected: String,
        unit: String
    ) throws {
        let column = try column(row, name, table)
        #expect(column.metric.name == expected)
        #expect(column.metric.kind == .counter)
        #expect(column.metric.unit == unit)
        #expect(column.attributes.isEmpty)
    }

    @Test(arguments: [
        ("Ip", "Forwarding", ProcTable.snmp), ("Ip", "DefaultTTL", .snmp), ("Tcp", "RtoAlgorithm", .snmp),
        ("Tcp", "RtoMin", .snmp), ("Tcp", "RtoMax", .snmp), ("Tcp", "MaxConn", .snmp), ("Tcp", "CurrEstab", .snmp),
        ("MPTcpExt", "MPCurrEstab", .netstat),
    ])
    func whatTheKernelDoesNotCountUpIsAGauge(row: String, name: String, table: ProcTable) throws {
        #expect(try column(row, name, table).metric.kind == .gauge)
    }

    @Test(arguments: [
        ("sockets", "used", "sonde.socket.current", "{socket}"),
        ("TCP", "mem", "sonde.tcp.memory.usage", "By"),
        ("FRAG", "memory", "sonde.kernel.sockstat.frag.memory", "By"),
        ("FRAG6", "inuse", "sonde.kernel.sockstat.frag6.inuse", "{queue}"),
        ("TCP6", "inuse", "sonde.kernel.sockstat.tcp6.inuse", "{socket}"),
        ("TCP", "brandnew", "sonde.kernel.sockstat.tcp.brandnew", ""),
    ])
    func socketNumbersGoUpAndDown(row: String, name: String, expected: String, unit: String) throws {
        let metric = try column(row, name, .sockstat).metric
        #expect(metric.name == expected)
        #expect(metric.kind == .upDown)
        #expect(metric.unit == unit)
    }

    @Test func whatTheKernelTellsInOtherUnitsIsToldInBaseUnits() throws {
        #expect(try column("Tcp", "RtoMin", .snmp).scale?.apply(200) == .double(0.2))
        #expect(
            try column("TCP", "mem", .sockstat).scale?.apply(3) == .unsigned(3 * UInt64(sysconf(Int32(_SC_PAGESIZE)))))
        #expect(KernelScale.pages.apply(.max) == .unsigned(.max))
        #expect(try column("FRAG", "memory", .sockstat).scale == nil)
    }

    @Test func ipv4AndIPv6ShareAMetric() throws {
        let four = try column("Ip", "InReceives", .snmp)
        let six = try column("Ip6", "InReceives", .snmp6)
        #expect(four.metric == six.metric)
        #expect(four.attributes.contains(Attribute("network.type", "ipv4")))
        #expect(six.attributes.contains(Attribute("network.type", "ipv6")))
    }

    @Test(arguments: [
        ("Icmp", "InDestUnreachs", "IcmpMsg", "InType3", ProcTable.snmp),
        ("Icmp", "OutEchoReps", "IcmpMsg", "OutType0", .snmp),
        ("Icmp6", "OutNeighborSolicits", "Icmp6", "OutType135", .snmp6),
    ])
    func aTypeOfICMPMessageIsOneSeriesHoweverItIsSpelled(
        row: String,
        name: String,
        otherRow: String,
        number: String,
        table: ProcTable
    ) throws {
        let named = try column(row, name, table)
        let numbered = try column(otherRow, number, table)
        #expect(named.metric.name == "sonde.icmp.message.count")
        #expect(named.metric == numbered.metric)
        #expect(named.attributes == numbered.attributes)
    }

    @Test func anUnnamedTypeOfICMPMessageIsItsNumber() throws {
        #expect(try column("IcmpMsg", "InType42", .snmp).attributes.contains(Attribute("icmp.type", "42")))
        #expect(try column("IcmpMsg", "InType256", .snmp).metric.name == "sonde.kernel.icmpmsg.in_type256")
    }

    @Test func snmp6NamesAreSplitBehindTheirProtocol() {
        #expect(ColumnNaming.split(snmp6: "UdpLite6InErrors") == ("UdpLite6", "InErrors"))
        #expect(ColumnNaming.split(snmp6: "Icmp6InMsgs") == ("Icmp6", "InMsgs"))
        #expect(ColumnNaming.split(snmp6: "Stranger") == ("snmp6", "Stranger"))
        #expect(ColumnNaming.split(snmp6: "Ip6") == ("snmp6", "Ip6"))
    }

    @Test func aNameWithoutLettersHasNoMetric() {
        #expect(ColumnNaming.column("--", row: "Tcp", table: .snmp) == nil)
        for table in ProcTable.allCases {
            #expect(ColumnNaming.column("A", row: "!", table: table) == nil)
        }
    }
}
