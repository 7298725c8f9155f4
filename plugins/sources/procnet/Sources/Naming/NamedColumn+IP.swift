internal import SondeDomain

extension NamedColumn {
    /// IP, RFC 4293; the same columns for IPv4 (`snmp4_ipstats_list`) and IPv6 (`snmp6_ipstats_list`).
    static let ip: [String: NamedColumn] = [
        "InReceives": packets(.receive),
        // What this host asked IP to send; what left it, forwarded packets included, is OutTransmits (since 6.6).
        "OutRequests": packets(.transmit),
        "InDiscards": discarded(.receive),
        "OutDiscards": discarded(.transmit),
        "InNoRoutes": noRoute(.receive),
        "OutNoRoutes": noRoute(.transmit),
        "FragOKs": fragment("fragmented", "{packet}", "Packets that were sent as fragments."),
        "FragFails": fragment("failed", "{packet}", "Packets that needed fragmenting and could not be."),
        "FragCreates": fragment("created", "{fragment}", "Fragments made."),
        "ReasmReqds": fragment("received", "{fragment}", "Fragments received for reassembly."),
        "ReasmOKs": fragment("reassembled", "{packet}", "Packets reassembled from fragments."),
        "ReasmFails": fragment("reassembly_failed", "{failure}", "Failures of reassembly, time-outs included."),
        "ReasmTimeout": fragment("reassembly_timeout", "{packet}", "Packets whose fragments did not come in time."),
    ]

    /// What IPv4 has in a separate row (`snmp4_ipextstats_list`).
    static let ipExtension: [String: NamedColumn] = ["InNoRoutes": noRoute(.receive)]

    /// ICMP, RFC 4293; the same columns for IPv4 and IPv6.
    static let icmpErrors: [String: NamedColumn] = ["InErrors": icmpError(.receive), "OutErrors": icmpError(.transmit)]

    /// UDP, RFC 4113; the same columns for IPv4 and IPv6 (`snmp4_udp_list`, `snmp6_udp6_list`).
    static let udp: [String: NamedColumn] = [
        "InDatagrams": datagrams(.receive),
        "OutDatagrams": datagrams(.transmit),
        "RcvbufErrors": datagramErrors("rcvbuf"),
        "SndbufErrors": datagramErrors("sndbuf"),
        "InCsumErrors": datagramErrors("checksum"),
        "NoPorts": datagramErrors("no_port"),
    ]

    private static func packets(_ direction: Direction) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.ip.packet.count",
                .counter,
                unit: "{packet}",
                attributes: ["network.type", "network.io.direction"],
                meaning: "IP packets received, and packets that this host asked IP to send."
            ),
            attributes: [direction.attribute]
        )
    }

    private static func discarded(_ direction: Direction) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.ip.packet.discarded",
                .counter,
                unit: "{packet}",
                attributes: ["network.type", "network.io.direction"],
                meaning: "Faultless IP packets that were discarded, for lack of memory for instance."
            ),
            attributes: [direction.attribute]
        )
    }

    private static func noRoute(_ direction: Direction) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.ip.packet.no_route",
                .counter,
                unit: "{packet}",
                attributes: ["network.type", "network.io.direction"],
                meaning: "IP packets discarded because no route leads to where they should go."
            ),
            attributes: [direction.attribute]
        )
    }

    private static func icmpError(_ direction: Direction) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.icmp.message.error",
                .counter,
                unit: "{message}",
                attributes: ["network.type", "network.io.direction"],
                meaning: "ICMP messages received in error, and messages that could not be sent."
            ),
            attributes: [direction.attribute]
        )
    }

    private static func fragment(_ name: String, _ unit: String, _ meaning: String) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.ip.fragment.\(name)",
                .counter,
                unit: unit,
                attributes: ["network.type"],
                meaning: meaning
            ),
            attributes: []
        )
    }

    private static func datagrams(_ direction: Direction) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.udp.datagram.count",
                .counter,
                unit: "{datagram}",
                attributes: ["network.type", "network.io.direction"],
                meaning: "UDP datagrams delivered to sockets, and datagrams sent."
            ),
            attributes: [direction.attribute]
        )
    }

    private static func datagramErrors(_ type: String) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.udp.datagram.error",
                .counter,
                unit: "{datagram}",
                attributes: ["network.type", "error.type"],
                meaning: "UDP datagrams lost: full receive or send buffer, wrong checksum, no listener on the port."
            ),
            attributes: [Attribute("error.type", type)]
        )
    }
}
