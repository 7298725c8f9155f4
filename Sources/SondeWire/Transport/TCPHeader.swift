/// The fixed part of a TCP header, as it was received: nothing in it has been checked.
///
/// Source: RFC 9293, section 3.1.
public struct TCPHeader: Equatable, Sendable {
    /// How long the header is without options, in bytes.
    public static let minimumLength = 20

    /// The sender's port.
    public let sourcePort: UInt16
    /// The receiver's port.
    public let destinationPort: UInt16
    /// The number of the first byte of data.
    public let sequence: UInt32
    /// The next byte that the sender waits for; means something only with the flag ACK.
    public let acknowledgement: UInt32
    /// The header's length field, options included, in bytes: 0 to 60.
    public let headerLength: Int
    /// The flags.
    public let flags: TCPFlags
    /// How many bytes the sender is ready to take, not scaled.
    public let window: UInt16

    /// The header at `offset`, or nil when the bytes end inside of it.
    @inline(__always)
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.minimumLength, at: offset) else { return nil }
        sourcePort = bytes.unchecked16(offset)
        destinationPort = bytes.unchecked16(offset &+ 2)
        sequence = bytes.unchecked32(offset &+ 4)
        acknowledgement = bytes.unchecked32(offset &+ 8)
        headerLength = Int(bytes.unchecked8(offset &+ 12) >> 4) &* 4
        flags = TCPFlags(rawValue: bytes.unchecked8(offset &+ 13))
        window = bytes.unchecked16(offset &+ 14)
    }
}

/// The flags of a TCP header.
///
/// Source: RFC 9293 section 3.1, RFC 3168 section 6.1.
public struct TCPFlags: OptionSet, Hashable, Sendable {
    /// The byte of the header.
    public let rawValue: UInt8

    /// The flags of a header's byte.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The sender has no more data.
    @inlinable public static var fin: TCPFlags { TCPFlags(rawValue: 0x01) }
    /// Synchronizes sequence numbers: a connection begins.
    @inlinable public static var syn: TCPFlags { TCPFlags(rawValue: 0x02) }
    /// The connection is reset.
    @inlinable public static var rst: TCPFlags { TCPFlags(rawValue: 0x04) }
    /// The receiver should hand over what it has.
    @inlinable public static var psh: TCPFlags { TCPFlags(rawValue: 0x08) }
    /// The acknowledgement number means something.
    @inlinable public static var ack: TCPFlags { TCPFlags(rawValue: 0x10) }
    /// The urgent pointer means something.
    @inlinable public static var urg: TCPFlags { TCPFlags(rawValue: 0x20) }
    /// Congestion was seen on the way.
    @inlinable public static var ece: TCPFlags { TCPFlags(rawValue: 0x40) }
    /// The sender has reduced its congestion window.
    @inlinable public static var cwr: TCPFlags { TCPFlags(rawValue: 0x80) }
}
