import SondePluginKit
import SondeWire

/// The addresses of this host, by which its side of a DNS transaction is known.
struct HostAddresses: ~Copyable {
    /// More addresses than a host has; further ones are not known.
    static let limit = 4096

    private let addresses: UnsafeMutablePointer<IPAddress>
    private var index: SlotIndex
    private let count: Int

    init(_ list: [IPAddress] = []) {
        let known = list.prefix(Self.limit)
        addresses = .allocate(capacity: max(1, known.count))
        index = SlotIndex(capacity: known.count)
        count = known.count
        for (slot, address) in known.enumerated() {
            (addresses + slot).initialize(to: address)
            index.insert(UInt32(slot), hash: Self.hash(address))
        }
    }

    deinit {
        addresses.deallocate()
    }

    @inline(__always)
    func contains(_ address: IPAddress) -> Bool {
        guard count > 0 else { return false }
        return index.slot(hash: Self.hash(address)) { addresses[Int($0)] == address } != nil
    }

    /// The side of this host when `client` asks `server`.
    @inline(__always)
    func role(client: IPAddress, server: IPAddress) -> DNSRole {
        if contains(server) { return .server }
        return contains(client) ? .client : .none
    }

    @inline(__always)
    private static func hash(_ address: IPAddress) -> UInt64 {
        (address.high ^ address.low &* 0x9e37_79b9_7f4a_7c15) &* 0xd6e8_feb8_6659_fd93
    }
}
