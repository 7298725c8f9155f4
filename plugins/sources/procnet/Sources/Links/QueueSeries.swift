internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The series of the queueing disciplines of interfaces.
struct QueueSeries: KeyedSeriesOwner {
    struct Key: Hashable {
        let interface: String
        let index: Int32
        let kind: String
        let metric: String
    }

    private static let attributes = ["network.interface.name", "sonde.qdisc.kind"]

    static let io = metric("io", .counter, "By", "Bytes that passed the queueing discipline.")
    static let packets = metric("packet.count", .counter, "{packet}", "Packets that passed it.")
    static let drops = metric("packet.dropped", .counter, "{packet}", "Packets that it dropped.")
    static let requeues = metric(
        "packet.requeued", .counter, "{packet}", "Packets that the driver had no room for, put back.")
    static let overlimits = metric("packet.overlimit", .counter, "{packet}", "Packets that came beyond a limit of it.")
    static let length = metric("queue.length", .gauge, "{packet}", "Packets that wait in it.")
    static let backlog = metric("queue.backlog", .gauge, "By", "Bytes that wait in it.")

    static var all: [MetricDefinition] { [io, packets, drops, requeues, overlimits, length, backlog] }

    var series = KeyedSeries<Key>()

    init() {}

    /// Appends the queueing disciplines of the devices that are reported individually; `noqueue` has nothing to count.
    mutating func append(
        _ reports: [QueueReport],
        _ device: (Int32) -> LinkDevice?,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        series.begin()
        for report in reports where report.kind != "noqueue" && report.kind != "noop" {
            guard let device = device(report.index), device.role == .alone else { continue }
            append(report, device, to: &samples, host)
        }
        series.end(host)
    }

    private mutating func append(
        _ report: QueueReport,
        _ device: LinkDevice,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let packetWidth = report.hasWidePackets ? CounterWidth.bits64 : .bits32
        let values: [(MetricDefinition, UInt64?, CounterWidth)] = [
            (Self.io, report.bytes, .bits64), (Self.packets, report.packets, packetWidth),
            (Self.drops, report.drops.map(UInt64.init), .bits32),
            (Self.requeues, report.requeues.map(UInt64.init), .bits32),
            (Self.overlimits, report.overlimits.map(UInt64.init), .bits32),
            (Self.length, report.length.map(UInt64.init), .unknown),
            (Self.backlog, report.backlog.map(UInt64.init), .unknown),
        ]
        for (metric, value, width) in values {
            guard let value else { continue }
            let key = Key(interface: device.name, index: report.index, kind: report.kind, metric: metric.name)
            let handle = series.handle(key) {
                host.openSeries(
                    metric,
                    [Attribute("network.interface.name", device.name), Attribute("sonde.qdisc.kind", report.kind)],
                    // It may have been put there long after its device was made.
                    start: nil,
                    width: width,
                    level: MetricLevels.level(of: metric, isUplink: device.isUplink)
                )
            }
            if let handle { samples.append(handle, value) }
        }
    }

    private static func metric(
        _ name: String,
        _ kind: MetricKind,
        _ unit: String,
        _ meaning: String
    ) -> MetricDefinition {
        MetricDefinition("sonde.qdisc.\(name)", kind, unit: unit, attributes: attributes, meaning: meaning)
    }
}
