/// The second 16 bits of a DNS header (RFC 1035, section 4.1.1; AD and CD: RFC 4035).
public struct DNSFlags: OptionSet, Sendable, Hashable {
    /// The bits as they came.
    public let rawValue: UInt16

    /// Flags of the bits as they came.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// QR: a response, not a query.
    public static let response = DNSFlags(rawValue: 0x8000)
    /// AA: the responder is an authority for the name.
    public static let authoritative = DNSFlags(rawValue: 0x0400)
    /// TC: the message was cut to fit the transport.
    public static let truncated = DNSFlags(rawValue: 0x0200)
    /// RD: the client asks for recursion.
    public static let recursionDesired = DNSFlags(rawValue: 0x0100)
    /// RA: the responder offers recursion.
    public static let recursionAvailable = DNSFlags(rawValue: 0x0080)
    /// AD: the data is authenticated.
    public static let authenticData = DNSFlags(rawValue: 0x0020)
    /// CD: the asker checks signatures itself.
    public static let checkingDisabled = DNSFlags(rawValue: 0x0010)

    /// What kind of message it is.
    @inlinable
    public var opcode: DNSOpcode {
        DNSOpcode(rawValue: UInt8(truncatingIfNeeded: (rawValue >> 11) & 15))
    }

    /// The low four bits of the response code; the others are in OPT.
    @inlinable
    public var lowResponseCode: UInt16 {
        rawValue & 15
    }
}
