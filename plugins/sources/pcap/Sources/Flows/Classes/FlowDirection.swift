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

    /// How many directions there are.
    static let count = allCases.count

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

    /// The directions of what the low end of a flow sends, and of what the high end does.
    @inline(__always)
    static func both(_ key: FlowKey, _ host: borrowing HostAddresses) -> (fromLow: Self, fromHigh: Self) {
        host.isEmpty ? (.unknown, .unknown) : known(key, copy host)
    }

    @inline(never)
    private static func known(_ key: FlowKey, _ host: HostAddresses) -> (fromLow: Self, fromHigh: Self) {
        (Self(from: key.low, to: key.high, host), Self(from: key.high, to: key.low, host))
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
