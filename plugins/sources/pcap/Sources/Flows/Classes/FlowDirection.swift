internal import SondeWire

/// Which way a packet goes, from the host's own addresses.
enum FlowDirection: UInt8, CaseIterable, Sendable {
    /// From another host to this one, or to a group.
    case receive
    /// From this host to another one.
    case transmit
    /// From this host to itself.
    case local
    /// Between others.
    case forwarded
    /// The host's own addresses are not known.
    case unknown

    /// The direction of a packet between two addresses.
    init(from source: IPAddress, to destination: IPAddress, _ host: HostAddresses) {
        guard !host.isEmpty else {
            self = .unknown
            return
        }
        switch (host.contains(source), host.contains(destination)) {
        case (true, true): self = .local
        case (true, false): self = .transmit
        case (false, true): self = .receive
        case (false, false): self = host.isGroup(destination) ? .receive : .forwarded
        }
    }

    /// The value of the attribute `network.io.direction`.
    var name: String {
        switch self {
        case .receive: "receive"
        case .transmit: "transmit"
        case .local: "local"
        case .forwarded: "forwarded"
        case .unknown: "unknown"
        }
    }
}
