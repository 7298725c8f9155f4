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
    init(_ key: FlowKey) {
        guard key.kind != .fragment else {
            self = .fragment
            return
        }
        switch key.transport {
        case .tcp: self = .tcp
        case .udp: self = .udp
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
