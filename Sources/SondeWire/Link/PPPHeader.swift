/// The header of PPP: address and control where they were not left out, and the protocol.
///
/// Source: RFC 1661 section 2, RFC 1662 section 3.1; Cisco HDLC as tcpdump.org/linktypes.html describes it.
public struct PPPHeader: Equatable, Sendable {
    /// What follows.
    public enum Content: Equatable, Sendable {
        /// A payload that PPP numbers like this.
        case pppProtocol(UInt16)
        /// A payload that Cisco HDLC numbers like Ethernet.
        case etherType(EtherType)
    }

    /// Internet Protocol version 4.
    public static let ipv4: UInt16 = 0x0021
    /// Internet Protocol version 6.
    public static let ipv6: UInt16 = 0x0057
    /// MPLS, unicast.
    public static let mpls: UInt16 = 0x0281
    /// MPLS, multicast.
    public static let mplsMulticast: UInt16 = 0x0283

    /// How long the header is, in bytes.
    public let length: Int
    /// What follows it.
    public let content: Content

    private init(length: Int, content: Content) {
        self.length = length
        self.content = content
    }

    /// The header at `offset` of a frame on a serial line, or nil when the bytes end inside of it.
    ///
    /// Address and control may have been left out; Cisco HDLC is recognized by its address.
    public init?(framed bytes: WireBytes, at offset: Int = 0) {
        guard let start = bytes.uint16(at: offset) else {
            // A single byte may be a whole protocol number, but not an address.
            guard let only = bytes.uint8(at: offset), ![0xff, 0x0f, 0x8f].contains(only) else { return nil }
            self.init(protocolIn: bytes, at: offset)
            return
        }
        switch start {
        case 0xff03:
            self.init(protocolIn: bytes, at: offset, after: 2)
        case 0x0f00, 0x8f00:
            guard let type = bytes.uint16(at: offset &+ 2) else { return nil }
            self.init(length: 4, content: .etherType(EtherType(rawValue: type)))
        default:
            self.init(protocolIn: bytes, at: offset)
        }
    }

    /// The protocol at `offset` and `start` bytes before it, or nil when the bytes end inside of it.
    public init?(protocolIn bytes: WireBytes, at offset: Int, after start: Int = 0) {
        guard let first = bytes.uint8(at: offset &+ start) else { return nil }
        // A number of one byte is odd, the first of two bytes is even.
        guard first & 1 == 0 else {
            self.init(length: start &+ 1, content: .pppProtocol(UInt16(first)))
            return
        }
        guard let number = bytes.uint16(at: offset &+ start) else { return nil }
        self.init(length: start &+ 2, content: .pppProtocol(number))
    }
}

/// The header of PPP over Ethernet.
///
/// Source: RFC 2516, section 4.
public struct PPPoEHeader: Equatable, Sendable {
    /// How long the header is, in bytes.
    public static let length = 6

    /// Version and type, 1 each, in one byte.
    public let versionAndType: UInt8
    /// Zero in the session stage.
    public let code: UInt8
    /// The session.
    public let session: UInt16
    /// The bytes that follow the header.
    public let payloadLength: UInt16

    /// Whether it is the header of session data as the only version there is writes it.
    public var isSession: Bool { versionAndType == 0x11 && code == 0 }

    /// The header at `offset`, or nil when the bytes end inside of it.
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        versionAndType = bytes.unchecked8(offset)
        code = bytes.unchecked8(offset &+ 1)
        session = bytes.unchecked16(offset &+ 2)
        payloadLength = bytes.unchecked16(offset &+ 4)
    }
}
