/// How a query ended: the response code with the high bits that EDNS adds (IANA, DNS RCODEs).
public struct DNSResponseCode: RawRepresentable, Hashable, Sendable {
    /// The number, 0 to 4095.
    public let rawValue: UInt16

    /// The response code of a number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// No error.
    @inlinable public static var noError: DNSResponseCode { DNSResponseCode(rawValue: 0) }
    /// The name does not exist.
    @inlinable public static var nameError: DNSResponseCode { DNSResponseCode(rawValue: 3) }

    /// IANA's name, or `RCODE12` where there is none.
    public var mnemonic: String {
        Self.mnemonic(rawValue) ?? "RCODE\(rawValue)"
    }

    /// IANA's name, or `other` where there is none.
    public var attribute: String {
        Self.mnemonic(rawValue) ?? "other"
    }

    /// How many attributes there are, `other` included.
    public static let attributeCount = 25

    /// A number below ``attributeCount``, the same for codes with the same attribute.
    @inlinable
    public var attributeIndex: Int {
        @inline(always)
        get { rawValue < 12 || (rawValue > 15 && rawValue < 24) ? Int(rawValue) : 24 }
    }

    /// The code of an attribute index, or nil for `other` and for numbers without a name.
    public static func known(at index: Int) -> DNSResponseCode? {
        guard let number = UInt16(exactly: index), mnemonic(number) != nil else { return nil }
        return DNSResponseCode(rawValue: number)
    }

    private static func mnemonic(_ number: UInt16) -> String? {
        switch number {
        case 0: "NOERROR"
        case 1: "FORMERR"
        case 2: "SERVFAIL"
        case 3: "NXDOMAIN"
        case 4: "NOTIMP"
        case 5: "REFUSED"
        case 6: "YXDOMAIN"
        case 7: "YXRRSET"
        case 8: "NXRRSET"
        case 9: "NOTAUTH"
        case 10: "NOTZONE"
        case 11: "DSOTYPENI"
        // TSIG, which calls it BADSIG, has a separate field for it.
        case 16: "BADVERS"
        case 17: "BADKEY"
        case 18: "BADTIME"
        case 19: "BADMODE"
        case 20: "BADNAME"
        case 21: "BADALG"
        case 22: "BADTRUNC"
        case 23: "BADCOOKIE"
        default: nil
        }
    }
}
