/// Which kind of name service a packet belongs to, by its ports.
enum DNSService {
    case unicast
    /// Multicast DNS (RFC 6762), which has no transactions.
    case multicast
    /// Link-local multicast name resolution (RFC 4795).
    case linkLocal
}

/// The ports on which DNS is looked for: a bit per port, looked at for every datagram.
struct DNSPorts: ~Copyable {
    static let multicast: UInt16 = 5353
    static let linkLocal: UInt16 = 5355

    private let words: UnsafeMutablePointer<UInt64>

    /// These ports of unicast DNS; port 0 is none.
    init(_ ports: [UInt16] = [53]) {
        words = .allocate(capacity: 1024)
        words.initialize(repeating: 0, count: 1024)
        for port in ports + [Self.multicast, Self.linkLocal] where port != 0 {
            words[Int(port >> 6)] |= 1 << UInt64(port & 63)
        }
    }

    deinit {
        words.deallocate()
    }

    /// Whether one of these ports is a DNS port.
    @inline(__always)
    func contains(_ source: UInt16, _ destination: UInt16) -> Bool {
        contains(source) || contains(destination)
    }

    /// The service of these ports, or nil when they are not DNS ports.
    @inline(__always)
    func service(_ source: UInt16, _ destination: UInt16) -> DNSService? {
        guard contains(source, destination) else { return nil }
        if isUnicast(source) || isUnicast(destination) { return .unicast }
        return source == Self.multicast || destination == Self.multicast ? .multicast : .linkLocal
    }

    @inline(__always)
    private func isUnicast(_ port: UInt16) -> Bool {
        port != Self.multicast && port != Self.linkLocal && contains(port)
    }

    @inline(__always)
    private func contains(_ port: UInt16) -> Bool {
        words[Int(port >> 6)] >> UInt64(port & 63) & 1 == 1
    }
}
