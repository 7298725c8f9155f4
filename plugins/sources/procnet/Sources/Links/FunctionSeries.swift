internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The series of virtual functions of network cards (SR-IOV).
struct FunctionSeries: KeyedSeriesOwner {
    /// Functions of one card that are reported; PCI Express allows 256 of most cards.
    static let limit = 256

    struct Key: Hashable {
        let interface: String
        let number: UInt32
        let field: VirtualFunctionReport.Field
    }

    private typealias Count = (metric: MetricDefinition, direction: Direction, field: VirtualFunctionReport.Field)

    private static let attributes = ["network.interface.name", "sonde.vf.number", "network.io.direction"]
    private static let io = metric("io", "By", "Bytes that a virtual function received or sent.")
    private static let packets = metric("packet.count", "{packet}", "Packets that it received or sent.")
    private static let drops = metric("packet.dropped", "{packet}", "Packets of it that were dropped.")
    private static let broadcast = metric("broadcast", "{packet}", "Broadcast packets that it received.")
    private static let multicast = metric("multicast", "{packet}", "Packets to a group that it received.")

    static var all: [MetricDefinition] { [io, packets, drops, broadcast, multicast] }

    private static let counts: [Count] = [
        (io, .receive, .receivedBytes), (io, .transmit, .sentBytes), (packets, .receive, .receivedPackets),
        (packets, .transmit, .sentPackets), (drops, .receive, .receiveDropped), (drops, .transmit, .sendDropped),
        (broadcast, .receive, .broadcast), (multicast, .receive, .multicast),
    ]

    var series = KeyedSeries<Key>()

    init() {}

    /// Appends the functions of each device; what is not among them any more is closed.
    mutating func append(
        _ reports: [(device: LinkDevice, functions: [VirtualFunctionReport])],
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        series.begin()
        for (device, functions) in reports {
            for function in functions { append(function, of: device.name, to: &samples, host) }
        }
        series.end(host)
    }

    private mutating func append(
        _ function: VirtualFunctionReport,
        of interface: String,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        for (metric, direction, field) in Self.counts {
            guard let value = function[field] else { continue }
            let handle = series.handle(Key(interface: interface, number: function.number, field: field)) {
                host.openSeries(
                    metric,
                    [
                        Attribute("network.interface.name", interface),
                        Attribute("sonde.vf.number", String(function.number)), direction.attribute,
                    ],
                    // It may have been switched on long after its card was found.
                    start: nil,
                    width: .bits64
                )
            }
            if let handle { samples.append(handle, value) }
        }
    }

    private static func metric(_ name: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition("sonde.network.vf.\(name)", .counter, unit: unit, attributes: attributes, meaning: meaning)
    }
}
