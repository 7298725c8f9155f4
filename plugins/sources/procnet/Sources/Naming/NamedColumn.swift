internal import SondeDomain

/// A kernel column whose metric has a listed name; every other column follows the rule of ``ColumnNaming``.
struct NamedColumn {
    let metric: MetricDefinition
    let attributes: [Attribute]

    /// The column of a row, or nil when the rule names it.
    static func find(row: String, column: String) -> NamedColumn? {
        switch row {
        case "Ip": ip[column]?.with(.ipv4)
        case "Ip6": ip[column]?.with(.ipv6)
        case "Udp": udp[column]?.with(.ipv4)
        case "Udp6": udp[column]?.with(.ipv6)
        case "IpExt": ipExtension[column]?.with(.ipv4)
        case "Icmp", "IcmpMsg": icmpErrors[column]?.with(.ipv4) ?? icmp(column, .ipv4)
        case "Icmp6": icmpErrors[column]?.with(.ipv6) ?? icmp(column, .ipv6)
        case "Tcp": tcp[column]
        case "TcpExt": tcpExtension[column]
        case "sockets", "TCP", "UDP": sockets["\(row) \(column)"]
        default: nil
        }
    }

    /// For the catalog.
    static var allMetrics: [MetricDefinition] {
        var names: Set<String> = []
        let tables = [ip, ipExtension, icmpErrors, tcp, tcpExtension, udp, sockets]
        let metrics = tables.flatMap { $0.values.map(\.metric) } + [icmpMessageCount]
        return metrics.filter { names.insert($0.name).inserted }.sorted { $0.name < $1.name }
    }

    private func with(_ family: AddressFamily) -> NamedColumn {
        NamedColumn(metric: metric, attributes: attributes + [family.attribute])
    }

    private static func icmp(_ column: String, _ family: AddressFamily) -> NamedColumn? {
        guard let message = ICMPType.column(column, of: family) else { return nil }
        return NamedColumn(
            metric: icmpMessageCount,
            attributes: [family.attribute, message.direction.attribute, Attribute("icmp.type", message.type)]
        )
    }

    private static let icmpMessageCount = MetricDefinition(
        "sonde.icmp.message.count",
        .counter,
        unit: "{message}",
        attributes: ["network.type", "network.io.direction", "icmp.type"],
        meaning: "ICMP messages by type."
    )
}
