/// What an IP packet carries: the number of the IPv4 header's protocol and the IPv6 header's next header.
///
/// Source: IANA Assigned Internet Protocol Numbers.
public struct IPProtocol: Hashable, Sendable, RawRepresentable {
    /// The number.
    public let rawValue: UInt8

    /// The protocol with this number, known or not.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// IPv6 hop-by-hop options.
    @inlinable public static var hopByHop: IPProtocol { IPProtocol(rawValue: 0) }
    /// ICMP for IPv4.
    @inlinable public static var icmp: IPProtocol { IPProtocol(rawValue: 1) }
    /// TCP.
    @inlinable public static var tcp: IPProtocol { IPProtocol(rawValue: 6) }
    /// UDP.
    @inlinable public static var udp: IPProtocol { IPProtocol(rawValue: 17) }
    /// IPv6 routing header.
    @inlinable public static var routing: IPProtocol { IPProtocol(rawValue: 43) }
    /// IPv6 fragment header.
    @inlinable public static var fragment: IPProtocol { IPProtocol(rawValue: 44) }
    /// Authentication header.
    @inlinable public static var authentication: IPProtocol { IPProtocol(rawValue: 51) }
    /// ICMP for IPv6.
    @inlinable public static var icmpv6: IPProtocol { IPProtocol(rawValue: 58) }
    /// Nothing follows.
    @inlinable public static var noNextHeader: IPProtocol { IPProtocol(rawValue: 59) }
    /// IPv6 destination options.
    @inlinable public static var destinationOptions: IPProtocol { IPProtocol(rawValue: 60) }
    /// SCTP.
    @inlinable public static var sctp: IPProtocol { IPProtocol(rawValue: 132) }
}
