internal import SondeDomain
internal import SondeNetlink

/// The metrics of interfaces that netlink reports and `/proc/net/dev` does not.
enum LinkMetrics {
    /// One counter of a device: the sum of some fields, as `/proc/net/dev` adds them up (`dev_seq_printf_stats`,
    /// net/core/net-procfs.c) or a single field.
    struct Counter {
        let metric: MetricDefinition
        let direction: Direction
        let fields: [LinkCounters.Field]

        init(_ metric: MetricDefinition, _ direction: Direction, _ fields: LinkCounters.Field...) {
            self.metric = metric
            self.direction = direction
            self.fields = fields
        }
    }

    private static let perInterface = ["network.interface.name", "network.io.direction"]

    /// Every counter of a device; those that `/proc/net/dev` has come first and are the same series on both paths.
    static let counters: [Counter] = common + details

    /// What is added up for each of them: read at every collection, without the rest of a counter.
    static let sums: [LinkCounters.Selection] = counters.map { LinkCounters.Selection($0.fields) }

    private static let common: [Counter] = [
        Counter(NetworkMetrics.io, .receive, .receivedBytes),
        Counter(NetworkMetrics.io, .transmit, .sentBytes),
        Counter(NetworkMetrics.packetCount, .receive, .receivedPackets),
        Counter(NetworkMetrics.packetCount, .transmit, .sentPackets),
        Counter(NetworkMetrics.errors, .receive, .receiveErrors),
        Counter(NetworkMetrics.errors, .transmit, .sendErrors),
        Counter(NetworkMetrics.packetDropped, .receive, .receiveDropped, .receiveMissed),
        Counter(NetworkMetrics.packetDropped, .transmit, .sendDropped),
        Counter(NetworkMetrics.fifo, .receive, .receiveFIFO),
        Counter(NetworkMetrics.fifo, .transmit, .sendFIFO),
        Counter(NetworkMetrics.frame, .receive, .receiveLength, .receiveOver, .receiveCRC, .receiveFrame),
        Counter(NetworkMetrics.compressed, .receive, .receiveCompressed),
        Counter(NetworkMetrics.compressed, .transmit, .sendCompressed),
        Counter(NetworkMetrics.multicast, .receive, .multicast),
        Counter(NetworkMetrics.collision, .transmit, .collisions),
        Counter(NetworkMetrics.carrier, .transmit, .sendCarrier, .sendAborted, .sendWindow, .sendHeartbeat),
    ]

    private static let details: [Counter] = [
        Counter(
            detail("length_error", "{error}", "Frames of a wrong length (rx_length_errors)."), .receive, .receiveLength),
        Counter(
            detail("over_error", "{error}", "Frames that overran the device (rx_over_errors)."), .receive, .receiveOver),
        Counter(detail("crc_error", "{error}", "Frames with a wrong checksum (rx_crc_errors)."), .receive, .receiveCRC),
        Counter(
            detail("alignment_error", "{error}", "Frames that did not end at a byte (rx_frame_errors)."),
            .receive,
            .receiveFrame
        ),
        Counter(
            detail("missed", "{packet}", "Packets that the device had no room for (rx_missed_errors)."),
            .receive,
            .receiveMissed
        ),
        Counter(
            detail("no_handler", "{packet}", "Packets on an inactive member of a bond or team (rx_nohandler)."),
            .receive,
            .receiveNoHandler
        ),
        Counter(
            detail("other_host", "{packet}", "Packets for another host, dropped (rx_otherhost_dropped)."),
            .receive,
            .receiveOtherHost
        ),
        Counter(
            detail("aborted_error", "{error}", "Transmissions aborted (tx_aborted_errors)."), .transmit, .sendAborted),
        Counter(
            detail("carrier_lost", "{error}", "The carrier was lost while sending (tx_carrier_errors)."),
            .transmit,
            .sendCarrier
        ),
        Counter(
            detail("heartbeat_error", "{error}", "Heartbeat errors of old Ethernet (tx_heartbeat_errors)."),
            .transmit,
            .sendHeartbeat
        ),
        Counter(
            detail("window_error", "{error}", "Collisions after the window for them (tx_window_errors)."),
            .transmit,
            .sendWindow
        ),
    ]

    private static func detail(_ name: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition(
            "sonde.network.interface.\(name)",
            .counter,
            unit: unit,
            attributes: perInterface,
            meaning: meaning
        )
    }
}
