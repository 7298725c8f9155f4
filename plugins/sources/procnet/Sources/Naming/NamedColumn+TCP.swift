internal import SondeDomain

extension NamedColumn {
    /// TCP, RFC 4022 (`snmp4_tcp_list`, net/ipv4/proc.c).
    ///
    /// The kernel does not split it by address family.
    static let tcp: [String: NamedColumn] = [
        "InSegs": segments(.receive),
        "OutSegs": segments(.transmit),
        "RetransSegs": plain("sonde.tcp.segment.retransmitted", "{segment}", "TCP segments sent again."),
        "InErrs": plain(
            "sonde.tcp.segment.error",
            "{segment}",
            "TCP segments received in error, wrong checksums included."
        ),
        "ActiveOpens": opened("active"),
        "PassiveOpens": opened("passive"),
        "AttemptFails": plain("sonde.tcp.connection.failed", "{connection}", "TCP connections that never opened."),
        "EstabResets": plain(
            "sonde.tcp.connection.reset",
            "{connection}",
            "TCP connections that ended from ESTABLISHED or CLOSE_WAIT without a FIN of their own."
        ),
    ]

    /// Linux's own counters (`snmp4_net_list`, net/ipv4/proc.c).
    static let tcpExtension: [String: NamedColumn] = [
        "ListenOverflows": plain(
            "sonde.tcp.listen.overflow",
            "{connection}",
            "Connections dropped because the accept queue of a listener was full."
        ),
        "ListenDrops": plain(
            "sonde.tcp.listen.drop",
            "{connection}",
            "Connections that a listener dropped for any reason, overflows included."
        ),
        "TCPTimeouts": plain("sonde.tcp.timeout", "{event}", "Retransmission timers that fired."),
    ]

    private static func segments(_ direction: Direction) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.tcp.segment.count",
                .counter,
                unit: "{segment}",
                attributes: ["network.io.direction"],
                meaning: "TCP segments received, erroneous ones included, and sent, retransmitted ones left out."
            ),
            attributes: [direction.attribute]
        )
    }

    private static func opened(_ way: String) -> NamedColumn {
        NamedColumn(
            metric: MetricDefinition(
                "sonde.tcp.connection.opened",
                .counter,
                unit: "{connection}",
                attributes: ["sonde.tcp.open"],
                meaning: "TCP connections begun by this host (active) or by its peers (passive)."
            ),
            attributes: [Attribute("sonde.tcp.open", way)]
        )
    }

    private static func plain(_ name: String, _ unit: String, _ meaning: String) -> NamedColumn {
        NamedColumn(metric: MetricDefinition(name, .counter, unit: unit, meaning: meaning), attributes: [])
    }
}
