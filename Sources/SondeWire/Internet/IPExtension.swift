/// A header between the IP header and the transport: an IPv6 extension, or an authentication header under either version.
///
/// Only headers whose layout is known are walked. Reading the length of an unknown one out of bytes that mean something
/// else would invent transports and ports. Source: RFC 8200 section 4, RFC 4302 section 2.
public struct IPExtension: Equatable, Sendable {
    /// How long the shortest of them is, in bytes.
    public static let minimumLength = 8

    /// The header's length field, in bytes.
    public let length: Int
    /// What follows it.
    public let nextHeader: IPProtocol
    /// Which part of a fragmented packet this is, when it is a fragment header; otherwise `none`.
    public let fragment: FragmentState

    /// Whether `header` can be walked in an IPv6 packet.
    public static func isKnownInIPv6(_ header: IPProtocol) -> Bool {
        switch header.rawValue {
        case 0, 43, 44, 51, 60: true
        default: false
        }
    }

    /// Whether `header` can be walked in an IPv4 packet.
    public static func isKnownInIPv4(_ header: IPProtocol) -> Bool {
        header == .authentication
    }

    /// The header of the kind `header` at `offset`, or nil when the bytes end inside of its first eight.
    public init?(_ header: IPProtocol, _ bytes: WireBytes, at offset: Int) {
        guard bytes.has(Self.minimumLength, at: offset) else { return nil }
        nextHeader = IPProtocol(rawValue: bytes.unchecked8(offset))
        let size = Int(bytes.unchecked8(offset &+ 1))
        switch header {
        case .fragment:
            let position = bytes.unchecked16(offset &+ 2)
            length = 8
            // An offset of 0 without more to come is a whole packet (RFC 6946).
            fragment = position & 0xfff8 != 0 ? .later : position & 1 != 0 ? .first : .none
        case .authentication:
            // Counted in 4 bytes, unlike all others.
            length = (size &+ 2) &* 4
            fragment = .none
        default:
            length = (size &+ 1) &* 8
            fragment = .none
        }
    }
}

/// Which part of a fragmented packet a packet is.
public enum FragmentState: UInt8, Sendable {
    /// A whole packet.
    case none
    /// The first fragment: it has the transport's header, and not all of its data.
    case first
    /// A later fragment: it has no transport header.
    case later
}
