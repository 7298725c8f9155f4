internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The series of the table of neighbours, by state and by interface.
struct NeighbourSeries: KeyedSeriesOwner {
    /// How many neighbours there are of each state, and of each interface.
    struct Counts {
        var states: [State: UInt64] = [:]
        var interfaces: [Interface: UInt64] = [:]

        mutating func add(_ report: NeighbourReport) {
            states[State(family: report.family, state: report.state), default: 0] &+= 1
            interfaces[Interface(family: report.family, index: report.index), default: 0] &+= 1
        }
    }

    /// A family and a state.
    struct State: Hashable {
        let family: SocketFamily
        let state: NeighbourReport.State
    }

    /// A family and a device.
    struct Interface: Hashable {
        let family: SocketFamily
        let index: Int32
    }

    enum Key: Hashable {
        case state(State)
        case interface(String, SocketFamily)
    }

    static let byState = MetricDefinition(
        "sonde.neighbour.current",
        .upDown,
        unit: "{neighbour}",
        attributes: ["network.type", "sonde.neighbour.state"],
        meaning: "Neighbours that the host knows by ARP or neighbour discovery, by state."
    )
    static let byInterface = MetricDefinition(
        "sonde.neighbour.interface.current",
        .upDown,
        unit: "{neighbour}",
        attributes: ["network.interface.name", "network.type"],
        meaning: "Neighbours of an interface in any state; absent where there is none."
    )

    static var all: [MetricDefinition] { [byState, byInterface] }

    var series = KeyedSeries<Key>()

    init() {}

    /// Appends a reading; the interfaces are those that are reported individually.
    mutating func append(
        _ counts: Counts,
        _ device: (Int32) -> LinkDevice?,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        series.begin()
        for family in SocketFamily.allCases {
            for state in NeighbourReport.State.allCases {
                let state = State(family: family, state: state)
                let handle = series.handle(.state(state)) {
                    host.openSeries(
                        Self.byState,
                        [family.attribute, Attribute("sonde.neighbour.state", state.state.word)]
                    )
                }
                if let handle { samples.append(handle, counts.states[state] ?? 0) }
            }
        }
        for (interface, count) in counts.interfaces {
            guard let device = device(interface.index), device.role == .alone else { continue }
            let name = device.name
            let handle = series.handle(.interface(name, interface.family)) {
                host.openSeries(
                    Self.byInterface,
                    [Attribute("network.interface.name", name), interface.family.attribute]
                )
            }
            if let handle { samples.append(handle, count) }
        }
        series.end(host)
    }
}
