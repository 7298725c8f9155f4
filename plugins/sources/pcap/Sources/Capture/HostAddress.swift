internal import SondeNetlink
internal import SondeWire

/// One address of the host, and the broadcast address of its network.
struct HostAddress: Hashable, Sendable {
    let address: IPAddress
    let broadcast: IPAddress?

    /// From an RTM_NEWADDR message: `struct ifaddrmsg`, then attributes.
    init?(_ message: NetlinkMessage) {
        var found: (local: IPAddress?, address: IPAddress?, broadcast: IPAddress?)
        for attribute in message.attributes(after: 8) {
            // rtnetlink(7): IFA_ADDRESS is the other end's on a point-to-point link, IFA_LOCAL the host's.
            switch attribute.type {
            case 1: found.address = IPAddress(bytes: attribute.value)
            case 2: found.local = IPAddress(bytes: attribute.value)
            case 4: found.broadcast = IPAddress(bytes: attribute.value)
            default: break
            }
        }
        guard let address = found.local ?? found.address else { return nil }
        self.address = address
        broadcast = found.broadcast
    }
}

extension HostAddresses {
    /// What the kernel reports about the host's addresses.
    init(_ addresses: [HostAddress]) {
        self.init(addresses.map(\.address), broadcasts: addresses.compactMap(\.broadcast))
    }
}
