/// What kind of DNS message one is (IANA, DNS OpCodes).
public struct DNSOpcode: RawRepresentable, Hashable, Sendable {
    /// The number, 0 to 15.
    public let rawValue: UInt8

    /// The opcode of a number.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A standard query.
    public static let query = DNSOpcode(rawValue: 0)
    /// A zone has changed (RFC 1996).
    public static let notify = DNSOpcode(rawValue: 4)
    /// Dynamic update (RFC 2136).
    public static let update = DNSOpcode(rawValue: 5)

    /// IANA's name in capitals, or `OPCODE7` where there is none.
    public var mnemonic: String {
        Self.mnemonic(rawValue) ?? "OPCODE\(rawValue)"
    }

    /// IANA's name, or `other` where there is none.
    public var attribute: String {
        Self.mnemonic(rawValue) ?? "other"
    }

    private static func mnemonic(_ number: UInt8) -> String? {
        switch number {
        case 0: "QUERY"
        case 1: "IQUERY"
        case 2: "STATUS"
        case 4: "NOTIFY"
        case 5: "UPDATE"
        case 6: "DSO"
        default: nil
        }
    }
}
