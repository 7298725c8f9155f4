internal import SondeDomain

/// Turns the kernel's names into metrics.
///
/// A column with a listed name (``NamedColumn``) has that; every other one is `sonde.kernel.<row>.<column>` in snake
/// case: a counter, unless ``GaugeColumns`` lists it or it is in a sockstat table, whose numbers go up and down.
enum ColumnNaming {
    /// The metrics of a row's columns; nil for a name without letter or digit.
    static func columns(
        _ names: [String],
        row: String,
        table: ProcTable,
        _ choice: CounterChoice = CounterChoice([CounterChoice.allWord])
    ) -> [TableColumn?] {
        let known = KnownColumns.names(of: row)
        return names.map { name in
            var column = column(name, row: row, table: table)
            column?.isWanted = choice.passes(row: row, column: name)
            // The types of ICMP message are all known, also those not seen yet.
            column?.isKnown = known.contains(name[...]) || NamedColumn.find(row: row, column: name) != nil
            return column
        }
    }

    /// The metric of a column, or nil when its name has no letter or digit.
    static func column(_ name: String, row: String, table: ProcTable) -> TableColumn? {
        if let named = NamedColumn.find(row: row, column: name) {
            return TableColumn(metric: named.metric, attributes: named.attributes, scale: scale(name, row: row))
        }
        let column = SnakeCase.name(name)
        let prefix = prefix(row, in: table)
        guard !column.isEmpty, !prefix.isEmpty else { return nil }
        let kind = kind(name, row: row, table: table)
        let metric = MetricDefinition(
            "sonde.kernel.\(prefix).\(column)",
            kind.kind,
            unit: kind.unit,
            meaning: "Kernel \(kind.kind == .counter ? "counter" : "reading") \(row).\(name) (/proc/\(table.path))."
        )
        return TableColumn(metric: metric, attributes: [], scale: scale(name, row: row))
    }

    /// The metrics of snmp6, where a name holds row and column.
    static func columns(
        snmp6 names: [String],
        _ choice: CounterChoice = CounterChoice([CounterChoice.allWord])
    ) -> [TableColumn?] {
        let pairs = names.map(split)
        var rows: [String: [TableColumn?]] = [:]
        for row in Set(pairs.map(\.row)) {
            rows[row] = columns(pairs.filter { $0.row == row }.map(\.column), row: row, table: .snmp6, choice)
        }
        var taken: [String: Int] = [:]
        return pairs.map { pair in
            let index = taken[pair.row, default: 0]
            taken[pair.row] = index + 1
            guard let columns = rows[pair.row], index < columns.count else { return nil }
            return columns[index]
        }
    }

    /// Row and column of a name in snmp6: `Icmp6InMsgs` is `InMsgs` of `Icmp6`.
    static func split(snmp6 name: String) -> (row: String, column: String) {
        for row in ["UdpLite6", "Icmp6", "Udp6", "Ip6"] where name.hasPrefix(row) && name != row {
            return (row, String(name.dropFirst(row.count)))
        }
        return ("snmp6", name)
    }

    private static func prefix(_ row: String, in table: ProcTable) -> String {
        switch table {
        case .sockstat, .sockstat6:
            let name = SnakeCase.lowercase(row)
            return name.isEmpty ? "" : "sockstat.\(name)"
        case .snmp, .snmp6: return SnakeCase.lowercase(row)
        case .netstat: return row == "MPTcpExt" ? "mptcp_ext" : SnakeCase.name(row)
        case .dev: return ""
        }
    }

    private static func kind(_ name: String, row: String, table: ProcTable) -> (kind: MetricKind, unit: String) {
        switch table {
        case .sockstat, .sockstat6: (.upDown, socketUnit(name, row: row))
        case .dev, .snmp, .snmp6, .netstat:
            if let unit = GaugeColumns.unit(row: row, column: name) {
                (.gauge, unit)
            } else {
                (.counter, counterUnit(name, row: row))
            }
        }
    }

    /// Times are in milliseconds (`tcp_mib_init`, include/net/tcp.h; `tcp_leave_memory_pressure`, net/ipv4/tcp.c:
    /// jiffies_to_msecs), `mem` of sockstat is in pages (`proto_memory_allocated`).
    private static func scale(_ name: String, row: String) -> KernelScale? {
        switch (row, name) {
        case ("Tcp", "RtoMin"), ("Tcp", "RtoMax"), ("TcpExt", "TCPMemoryPressuresChrono"): .milliseconds
        case ("TCP", "mem"), ("UDP", "mem"): .pages
        default: nil
        }
    }

    /// FRAG `memory` is in bytes (`frag_mem_limit`), FRAG `inuse` counts queues of fragments; the others count sockets
    /// (sockstat_seq_show, net/ipv4/proc.c).
    private static func socketUnit(_ name: String, row: String) -> String {
        switch name {
        case "mem", "memory": "By"
        case "inuse" where row.hasPrefix("FRAG"): "{queue}"
        case "inuse", "orphan", "tw", "alloc", "used": "{socket}"
        default: ""
        }
    }

    private static func counterUnit(_ name: String, row: String) -> String {
        if name == "TCPMemoryPressuresChrono" { return "s" }
        if name.hasSuffix("Octets") { return "By" }
        switch row {
        case "Ip", "Ip6", "IpExt": return "{packet}"
        case "Icmp", "Icmp6", "IcmpMsg": return "{message}"
        case "Udp", "Udp6", "UdpLite", "UdpLite6": return "{datagram}"
        case "Tcp": return "{segment}"
        default: return "{event}"
        }
    }
}

/// The protocol columns that are no counters; each is listed with the kernel source that shows it.
enum GaugeColumns {
    /// The unit of a gauge, or nil when the column counts.
    static func unit(row: String, column: String) -> String? {
        units[row]?[column]
    }

    private static let units = [
        // snmp_seq_show_ipstats, net/ipv4/proc.c: the settings of the namespace, 1 forwarding or 2 not.
        "Ip": ["Forwarding": "", "DefaultTTL": "{hop}"],
        // tcp_mib_init, include/net/tcp.h: constants; the times in milliseconds (RFC 4022), MaxConn -1 for "dynamic".
        // CurrEstab: tcp_set_state, net/ipv4/tcp.c, counts up and down.
        "Tcp": [
            "RtoAlgorithm": "", "RtoMin": "s", "RtoMax": "s", "MaxConn": "{connection}",
            "CurrEstab": "{connection}",
        ],
        // mptcp_set_state, net/mptcp/protocol.c, counts up and down.
        "MPTcpExt": ["MPCurrEstab": "{connection}"],
    ]
}
