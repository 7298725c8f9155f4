internal import SondeDomain
internal import SondePluginKit

extension ProcNetSource {
    /// Made anew at each call, so that the long list of metrics is not kept in memory.
    static var descriptor: PluginDescriptor {
        PluginDescriptor(
            name: "procnet",
            kind: .source,
            version: "1.0.0",
            summary: "Reads interface, IP, ICMP, TCP, UDP and socket counters from /proc/net.",
            needs: ["a mounted /proc"],
            options: options,
            metrics: metrics,
            errors: errors
        )
    }

    static let inputSkipped = MetricDefinition(
        "sonde.procnet.input.skipped",
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
                help: "Which of dev, snmp, snmp6, netstat, sockstat and sockstat6 to read; all when not set.",
                example: "[dev, snmp]"
            ),
        ]
    }

    private static var metrics: [MetricDefinition] {
        let kernel = KnownColumns.rows.flatMap { row -> [MetricDefinition] in
            let names = row.columns.split(separator: " ").map(String.init)
            return ColumnNaming.columns(names, row: row.name, table: row.table).compactMap { $0?.metric }
        }
        var names: Set<String> = []
        return (NetworkMetrics.all + NamedColumn.allMetrics + kernel + [inputSkipped]).filter {
            names.insert($0.name).inserted
        }
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
        ]
    }
}
