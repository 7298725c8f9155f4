/// The class of a question or record (IANA, DNS CLASSes).
public struct DNSClass: RawRepresentable, Hashable, Sendable {
    /// The number as it came; multicast DNS uses the highest bit as a flag.
    public let rawValue: UInt16

    /// The class of a number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Internet.
    @inlinable public static var internet: DNSClass { DNSClass(rawValue: 1) }

    /// IANA's name, or `CLASS7` (RFC 3597, section 5) where there is none.
    public var mnemonic: String {
        switch rawValue {
        case 1: "IN"
        case 3: "CH"
        case 4: "HS"
        case 254: "NONE"
        case 255: "ANY"
        default: "CLASS\(rawValue)"
        }
    }
}
