public import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

extension ProcNetSource {
    /// Made at each call, so that the long list of metrics is not kept in memory.
    static var descriptor: PluginDescriptor {
        PluginDescriptor(
            name: "procnet",
            kind: .source,
            version: "1.0.0",
            summary: "Reads interface, IP, ICMP, TCP, UDP and socket counters from netlink and /proc/net.",
            needs: ["a mounted /proc"],
            options: options,
            metrics: metrics,
            errors: errors,
            sees: [.kernel]
        )
    }

    static let inputSkipped = MetricDefinition(
        "sonde.source.input.skipped",
        .counter,
        unit: "{item}",
        attributes: ["sonde.skip.reason"],
        meaning: "Rows, columns and values that were left out since the source started; absent while there are none."
    )

    private static var options: [OptionDefinition] {
        [
            OptionDefinition(
                "proc",
                .string,
                default: "/proc",
                help: "Where procfs is mounted; /proc/PID reads the network namespace of that process.",
                example: "/host/proc/1"
            ),
            OptionDefinition(
                "tables",
                .list,
                help: "What to read of dev, snmp, snmp6, netstat, sockstat, sockstat6, softnet, conntrack, neighbours, "
                    + "queues and wireless; all when not set.",
                example: "[dev, snmp]"
            ),
            OptionDefinition(
                "counters",
                .list,
                help: "Columns of snmp, snmp6 and netstat: headline, all, or globs of names; [headline] when not set.",
                example: "[headline, TcpExt.TCPFastOpen*]"
            ),
            OptionDefinition(
                "netns",
                .string,
                default: "self",
                help: "Whose network to read: self, pid:N for that of a process, name:X for one of ip netns.",
                example: "pid:1"
            ),
            OptionDefinition(
                "interfaces.include",
                .list,
                help: "Globs of which one must match an interface's name for it to be reported; all when not set.",
                example: "[eth*, bond?]"
            ),
            OptionDefinition(
                "interfaces.exclude",
                .list,
                help: "Globs of which none may match an interface's name.",
                example: "[veth*, cali*]"
            ),
            OptionDefinition(
                "uplinks",
                .list,
                help: "The interfaces that the host's total is the sum of; they are chosen when not set.",
                example: "[eth0]"
            ),
            OptionDefinition(
                "peak_rate",
                .integer(0...50),
                default: "10",
                help: "How often per second an uplink that carries much is read for the peak, others once; 0: no peak.",
                saving: .init(.peaks, "0")
            ),
            OptionDefinition(
                "peak_floor",
                .size(1...1 << 40),
                default: "128KiB",
                help: "Bytes per second that are much where the speed is unknown; elsewhere a hundredth of it is."
            ),
            OptionDefinition(
                "sockets",
                .choice(SocketSettings.Extent.allCases.map(\.rawValue)),
                default: "count",
                help:
                    "How closely sockets are looked at; off: sockstat only, detail: each established connection, too.",
                saving: .init(.sockets, "count")
            ),
            OptionDefinition(
                "cpu_budget",
                .double(0.01...100),
                default: "1",
                help: "What walks over sockets, and over neighbours and queues, may take of one core each, in percent."
            ),
        ]
    }

    private static var metrics: [MetricDefinition] {
        let kernel = KnownColumns.rows.flatMap { row in
            row.columns.split(separator: " ").compactMap {
                ColumnNaming.column(String($0), row: row.name, table: row.table)?.metric
            }
        }
        let own = [
            NetworkMetrics.all, LinkMetrics.all, QueueSeries.all, NeighbourSeries.all, FunctionSeries.all,
            ProcessorMetrics.all, WirelessStage.all, SocketMetrics.all, NamedColumn.allMetrics,
            kernel, [inputSkipped],
        ]
        var names: Set<String> = []
        return own.joined().filter { names.insert($0.name).inserted }.map { $0.at(MetricLevels.level(of: $0.name)) }
    }

    private static var errors: [PluginDescriptor.ErrorDefinition] {
        [
            .init(
                "SND-PRC001",
                meaning: "A table, or all of /proc/net, does not exist.",
                recovery: "Mount /proc or correct the option proc; without IPv6, snmp6 and sockstat6 are absent."
            ),
            .init(
                "SND-PRC002",
                meaning: "A table may not be read.",
                recovery: "Let the agent's user read /proc/net."
            ),
            .init(
                "SND-PRC003",
                meaning: "A table is larger than 8 MiB.",
                recovery: "Point the option proc at a real /proc."
            ),
            .init(
                "SND-PRC004",
                meaning: "The system refused to read a table.",
                recovery: "It is tried again at every interval; look into the kernel's log if it lasts."
            ),
            .init(
                "SND-PRC005",
                meaning: "A table is empty or holds nothing that could be read.",
                recovery: "Point the option proc at a real /proc; report the file if it is one."
            ),
            .init(
                "SND-PRC006",
                meaning: "An option has a value that cannot be used.",
                recovery: "Correct the option that the message names."
            ),
            .init(
                "SND-PRC007",
                meaning: "The agent took no samples until the deadline.",
                recovery: "Look at the sinks and the spool; counters catch up at the next interval."
            ),
            .init(
                "SND-PRC008",
                meaning: "The network namespace of the option netns is not there or may not be entered.",
                recovery: "Make the namespace, or give the agent CAP_SYS_ADMIN."
            ),
            .init(
                "SND-PRC009",
                meaning: "Netlink is refused: interfaces are read from /proc/net/dev, which has fewer metrics.",
                recovery: "Allow the address family AF_NETLINK, or give the agent the right to enter the namespace."
            ),
            .init(
                "SND-PRC010",
                meaning: "The kernel did not answer about interfaces.",
                recovery: "It is asked again at every interval; look into the kernel's log if it lasts."
            ),
            .init(
                "SND-PRC011",
                meaning:
                    "sock_diag is refused: sockets are read from /proc/net/tcp, which costs more and has fewer metrics.",
                recovery: "Allow the address family AF_NETLINK, and load tcp_diag and udp_diag."
            ),
            .init(
                "SND-PRC012",
                meaning: "The kernel did not answer about sockets.",
                recovery: "It is asked again at every interval; look into the kernel's log if it lasts."
            ),
        ]
    }
}

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `procnet.so`.
@c(sonde_plugin_procnet)
public func sonde_plugin_procnet() -> UnsafePointer<sonde_plugin> { exportPlugin(ProcNetSource.self) }
