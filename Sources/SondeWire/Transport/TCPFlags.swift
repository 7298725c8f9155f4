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
