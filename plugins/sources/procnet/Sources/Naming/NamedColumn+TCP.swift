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
        "OutRsts": plain("sonde.tcp.reset.sent", "{segment}", "TCP segments sent with RST."),
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
        "TCPSynRetrans": plain(
            "sonde.tcp.syn.retransmitted", "{segment}", "SYN and SYN/ACK sent again: the other end does not answer."),
        "SyncookiesSent": plain("sonde.tcp.syn_cookie.sent", "{segment}", "SYN cookies sent."),
        "SyncookiesRecv": plain("sonde.tcp.syn_cookie.received", "{segment}", "SYN cookies that came back."),
        "SyncookiesFailed": plain("sonde.tcp.syn_cookie.failed", "{segment}", "SYN cookies that came back wrong."),
        "TCPReqQFullDrop": plain(
            "sonde.tcp.request_queue.drop", "{connection}", "SYNs dropped because the queue of requests was full."),
        "TCPReqQFullDoCookies": plain(
            "sonde.tcp.request_queue.cookie", "{connection}",
            "SYNs answered with a cookie because the queue of requests was full."),
        "TCPRcvQDrop": plain(
            "sonde.tcp.receive_queue.drop", "{segment}", "Segments dropped because the receive queue was full."),
        "TCPAbortOnMemory": plain(
            "sonde.tcp.connection.aborted_on_memory", "{connection}", "Connections aborted for lack of memory."),
        "TCPMemoryPressures": plain(
            "sonde.tcp.memory.pressure", "{event}", "Times that TCP came under memory pressure."),
        "TCPTimeouts": plain("sonde.tcp.timeout", "{event}", "Retransmission timers that fired."),
    ]

    /// What no walk is needed for (`sockstat_seq_show`, net/ipv4/proc.c), by row and column.
    static let sockets: [String: NamedColumn] = [
        "sockets used": level("sonde.socket.current", "{socket}", "Sockets of every kind."),
        "TCP orphan": level("sonde.tcp.socket.orphan", "{socket}", "TCP sockets that no process holds any more."),
        "TCP mem": level(
            "sonde.tcp.memory.usage", "By", "Memory of the buffers of all TCP sockets, of the whole host."),
        "UDP mem": level(
            "sonde.udp.memory.usage", "By", "Memory of the buffers of all UDP sockets, of the whole host."),
    ]

    private static func level(_ name: String, _ unit: String, _ meaning: String) -> NamedColumn {
        NamedColumn(metric: MetricDefinition(name, .upDown, unit: unit, meaning: meaning), attributes: [])
    }

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
