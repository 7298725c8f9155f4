internal import SondeWire

/// What the packets of a flow carry, as far as totals distinguish it.
enum FlowTransport: UInt8, CaseIterable, Sendable {
    case tcp
    case udp
    case icmp
    case sctp
    /// Any other protocol.
    case other
    /// Fragments that are not the first one: they count under no transport.
    case fragment

    /// The transport of a key.
    @inline(__always)
    init(_ key: FlowKey) {
        if key.kind == .fragment {
            self = .fragment
        } else if key.transport == .tcp {
            self = .tcp
        } else if key.transport == .udp {
            self = .udp
        } else {
            self.init(key.transport)
        }
    }

    @inline(never)
    private init(_ transport: IPProtocol) {
        switch transport {
        case .icmp, .icmpv6: self = .icmp
        case .sctp: self = .sctp
        default: self = .other
        }
    }

    /// The value of the attribute `network.transport`.
    var name: String {
        switch self {
        case .tcp: "tcp"
        case .udp: "udp"
        case .icmp: "icmp"
        case .sctp: "sctp"
        case .other: "other"
        case .fragment: "fragment"
        }
    }
}
