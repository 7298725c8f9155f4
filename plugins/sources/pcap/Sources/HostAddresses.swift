internal import SondeWire

/// The addresses of this host.
struct HostAddresses: Sendable {
    private let sorted: [IPAddress]

    /// A host with these addresses; with none, nothing is known of them.
    init(_ addresses: [IPAddress] = []) {
        sorted = addresses.sorted()
    }

    /// Whether none is known.
    var isEmpty: Bool { sorted.isEmpty }

    /// Whether an address is the host's; the whole of 127.0.0.0/8 is (RFC 1122, section 3.2.1.3).
    func contains(_ address: IPAddress) -> Bool {
        if address.high == 0, address.low >> 24 == 0xff_ff7f { return !sorted.isEmpty }
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
