internal import SondeDomain

/// The metrics of `/proc/net/dev`.
///
/// What the columns add up is written in `dev_seq_printf_stats`, net/core/net-procfs.c.
enum NetworkMetrics {
    private static let perInterface = ["network.interface.name", "network.io.direction"]

    static let io = MetricDefinition(
        "system.network.io",
        .counter,
        unit: "By",
        attributes: perInterface,
        meaning: "Bytes that an interface received or sent."
    )
    static let packetCount = MetricDefinition(
        "system.network.packet.count",
        .counter,
        unit: "{packet}",
        attributes: perInterface,
        meaning: "Packets that an interface received or sent."
    )
    static let errors = MetricDefinition(
        "system.network.errors",
        .counter,
        unit: "{error}",
        attributes: perInterface,
        meaning: "Errors that the driver counted while receiving or sending."
    )
    /// The receive column is already the kernel's rx_dropped + rx_missed_errors (`dev_seq_printf_stats`).
    static let packetDropped = MetricDefinition(
        "system.network.packet.dropped",
        .counter,
        unit: "{packet}",
        attributes: perInterface,
        meaning: "Packets dropped by the host; received ones include those that the device missed (rx_missed_errors)."
    )

    static let fifo = other("fifo_error", "{error}", "Overruns of the device's queue (rx_fifo_errors, tx_fifo_errors).")
    static let frame = other(
        "frame_error",
        "{error}",
        "Damaged frames: rx_length_errors + rx_over_errors + rx_crc_errors + rx_frame_errors."
    )
    static let compressed = other("compressed", "{packet}", "Compressed packets (PPP and the like).")
    static let multicast = other(
        "multicast", "{packet}", "Multicast packets received, as far as the driver counts them.")
    static let collision = other("collision", "{collision}", "Collisions while sending.")
    static let carrier = other(
        "carrier_error",
        "{error}",
        "Carrier trouble: tx_carrier_errors + tx_aborted_errors + tx_window_errors + tx_heartbeat_errors."
    )

    /// The other columns, by the kernel's name: `sonde.network.interface.` and the name, spelled out where the kernel
    /// shortens it.
    static let others: [String: MetricDefinition] = [
        "fifo": fifo, "frame": frame, "compressed": compressed, "multicast": multicast, "colls": collision,
        "carrier": carrier,
    ]

    /// Every column by the kernel's name.
    static let byColumn: [String: MetricDefinition] = others.merging(
        ["bytes": io, "packets": packetCount, "errs": errors, "drop": packetDropped],
        uniquingKeysWith: { known, _ in known }
    )

    /// The metric of a column unknown to this version; `column` is its name in snake case.
    static func interfaceColumn(_ column: String, kernelName: String) -> MetricDefinition {
        other(column, "", "Column \(kernelName) of /proc/net/dev.")
    }

    /// For the catalog.
    static var all: [MetricDefinition] {
        [io, packetCount, packetDropped, errors] + others.values.sorted { $0.name < $1.name }
    }

    private static func other(_ column: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition(
            "sonde.network.interface.\(column)",
            .counter,
            unit: unit,
            attributes: perInterface,
            meaning: meaning
        )
    }
}
