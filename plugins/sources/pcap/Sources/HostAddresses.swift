internal import SondeWire

/// The addresses of this host, and the broadcast addresses of its networks.
struct HostAddresses: Sendable {
    private let sorted: [IPAddress]
    private let broadcasts: [IPAddress]

    /// A host with these addresses; with none, they are unknown.
    init(_ addresses: [IPAddress] = [], broadcasts: [IPAddress] = []) {
        sorted = addresses.sorted()
        self.broadcasts = broadcasts.sorted()
    }

    /// Whether there is none.
    var isEmpty: Bool { sorted.isEmpty }

    /// Whether an address is the host's; the whole of 127.0.0.0/8 is (RFC 1122, section 3.2.1.3).
    func contains(_ address: IPAddress) -> Bool {
        if address.high == 0, address.low >> 24 == 0xff_ff7f { return !sorted.isEmpty }
        return Self.contains(address, sorted)
    }

    /// Whether an address is that of a group: multicast, or the broadcast address of a network of the host or of every one.
    func isGroup(_ address: IPAddress) -> Bool {
        guard let number = address.ipv4 else { return address.high >> 56 == 0xff }
        return number >> 28 == 0xe || number == .max || Self.contains(address, broadcasts)
    }

    private static func contains(_ address: IPAddress, _ sorted: [IPAddress]) -> Bool {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low &+ high) / 2
            if sorted[middle] == address { return true }
            if sorted[middle] < address { low = middle &+ 1 } else { high = middle }
        }
        return false
    }
}
