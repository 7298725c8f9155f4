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
