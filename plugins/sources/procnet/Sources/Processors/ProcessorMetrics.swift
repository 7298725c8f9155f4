internal import SondeDomain

/// The metrics of what processors count one by one: packets on their way in, connection tracking, neighbours.
enum ProcessorMetrics {
    /// A column of `softnet_stat` by its place (`softnet_seq_show`, net/core/net-procfs.c).
    struct Softnet {
        let column: Int
        let sum: MetricDefinition
        let each: MetricDefinition

        init(_ column: Int, _ name: String, _ kind: MetricKind, _ unit: String, _ meaning: String) {
            self.column = column
            let host = "\(meaning), on the whole host, in every namespace."
            sum = MetricDefinition(
                "sonde.softnet.\(name)",
                kind,
                unit: unit,
                attributes: ["sonde.scope"],
                meaning: host
            )
            each = MetricDefinition(
                "sonde.softnet.cpu.\(name)",
                kind,
                unit: unit,
                attributes: ["cpu.logical_number", "sonde.scope"],
                meaning: "The same by processor."
            )
        }
    }

    /// Made at each call, so that it is not kept in memory.
    static var softnet: [Softnet] {
        [
            Softnet(0, "packet.processed", .counter, "{packet}", "Packets taken from the devices"),
            Softnet(1, "packet.dropped", .counter, "{packet}", "Packets dropped because a backlog was full"),
            Softnet(2, "squeezed", .counter, "{event}", "Times that work was left when the time for it was over"),
            Softnet(8, "collision", .counter, "{event}", "Collisions over a device's lock; kernels of today have none"),
            Softnet(9, "received_rps", .counter, "{event}", "Wake-ups by other processors for packets steered here"),
            Softnet(
                10, "flow_limit", .counter, "{packet}", "Packets dropped because one flow had too much of a backlog"),
            Softnet(11, "backlog", .gauge, "{packet}", "Packets that wait in the backlogs"),
        ]
    }

    static let conntrackCount = conntrack("entry.current", .upDown, "{entry}", "Connections that are tracked.")
    static let conntrackLimit = conntrack("entry.limit", .gauge, "{entry}", "Connections that can be tracked.")
    static let conntrackUse = conntrack("entry.utilization", .gauge, "1", "How full the table of connections is.")
    static let conntrackBuckets = conntrack(
        "bucket.current", .gauge, "{bucket}", "Buckets of the table of connections.")

    static let conntrackEach = MetricDefinition(
        "sonde.conntrack.cpu.event",
        .counter,
        unit: "{event}",
        attributes: ["cpu.logical_number", "sonde.conntrack.event"],
        meaning: "What the sums sonde.conntrack.event.… are made of, by processor."
    )

    /// The columns of `/proc/net/stat/nf_conntrack` (`ct_cpu_seq_show`, net/netfilter/nf_conntrack_standalone.c).
    static let conntrackColumns: [String: String] = [
        "searched": "Look-ups", "found": "Look-ups that found something", "new": "New entries",
        "invalid": "Packets that could not be tracked", "ignore": "Packets that were tracked already",
        "delete": "Entries removed", "delete_list": "Entries put on the list of dying ones",
        "insert": "Entries inserted", "insert_failed": "Entries that could not be inserted, there was one already",
        "drop": "Packets dropped because there was no room for an entry",
        "early_drop": "Entries dropped to make room for another", "icmp_error": "ICMP errors that could not be tracked",
        "expect_new": "Entries that were expected", "expect_create": "Expectations made",
        "expect_delete": "Expectations removed", "search_restart": "Look-ups begun again because the table changed",
        "clashres": "Clashes that were resolved", "chainlength": "Look-ups abandoned in a chain that is too long",
    ]

    /// The metric of such a column; its host's sum in the namespace.
    static func conntrack(column: String) -> MetricDefinition? {
        conntrackColumns[column].map { conntrack("event.\(column)", .counter, "{event}", "\($0).") }
    }

    /// The columns of `/proc/net/stat/arp_cache` and `ndisc_cache` (`neigh_stat_seq_show`, net/core/neighbour.c).
    static let neighbourColumns: [String: String] = [
        "allocs": "Entries made", "destroys": "Entries removed", "hash_grows": "Times that the table was enlarged",
        "lookups": "Look-ups", "hits": "Look-ups that found something", "res_failed": "Resolutions that failed",
        "rcv_probes_mcast": "Probes received by multicast", "rcv_probes_ucast": "Probes received by unicast",
        "periodic_gc_runs": "Periodic clean-ups", "forced_gc_runs": "Clean-ups because the table was full",
        "unresolved_discards": "Packets dropped while their neighbour was looked for",
        "table_fulls": "Entries refused because the table was full",
    ]

    /// The metric of such a column.
    static func neighbour(column: String) -> MetricDefinition? {
        neighbourColumns[column].map { meaning in
            MetricDefinition(
                "sonde.neighbour.event.\(column)",
                .counter,
                unit: "{event}",
                attributes: ["network.type", "sonde.scope"],
                meaning: "\(meaning), on the whole host, in every namespace."
            )
        }
    }

    static var all: [MetricDefinition] {
        softnet.flatMap { [$0.sum, $0.each] }
            + [conntrackCount, conntrackLimit, conntrackUse, conntrackBuckets, conntrackEach]
            + conntrackColumns.keys.sorted().compactMap(conntrack(column:))
            + neighbourColumns.keys.sorted().compactMap(neighbour(column:))
    }

    private static func conntrack(
        _ name: String,
        _ kind: MetricKind,
        _ unit: String,
        _ meaning: String
    ) -> MetricDefinition {
        MetricDefinition("sonde.conntrack.\(name)", kind, unit: unit, meaning: meaning)
    }
}
