/// The type of a question or record (IANA, Resource Record TYPEs).
public struct DNSType: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// The type of a number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// An IPv4 address.
    @inlinable public static var a: DNSType { DNSType(rawValue: 1) }
    /// An IPv6 address.
    @inlinable public static var aaaa: DNSType { DNSType(rawValue: 28) }
    /// EDNS options.
    @inlinable public static var opt: DNSType { DNSType(rawValue: 41) }
}

extension DNSType {
    /// The types that have their own attribute value, in the order of their numbers.
    ///
    /// A client that asks for random types must not make a series for each.
    static let attributeTypes: [UInt16] = [
        1, 2, 5, 6, 12, 13, 15, 16, 17, 28, 29, 33, 35, 39, 43, 44, 46, 47, 48, 50, 51, 52, 59, 60, 61, 64, 65, 99,
        249, 250, 251, 252, 255, 256, 257,
    ]

    /// How many attributes there are, `other` included.
    public static let attributeCount = 36

    /// A number below ``attributeCount``, the same for types with the same attribute.
    @inlinable
    public var attributeIndex: Int {
        switch rawValue {
        case 1: 0
        case 2: 1
        case 5: 2
        case 6: 3
        case 12: 4
        case 13: 5
        case 15: 6
        case 16: 7
        case 17: 8
        case 28: 9
        case 29: 10
        case 33: 11
        case 35: 12
        case 39: 13
        case 43: 14
        case 44: 15
        case 46: 16
        case 47: 17
        case 48: 18
        case 50: 19
        case 51: 20
        case 52: 21
        case 59: 22
        case 60: 23
        case 61: 24
        case 64: 25
        case 65: 26
        case 99: 27
        case 249: 28
        case 250: 29
        case 251: 30
        case 252: 31
        case 255: 32
        case 256: 33
        case 257: 34
        default: 35
        }
    }

    /// The type of an attribute index, or nil for `other`.
    public static func known(at index: Int) -> DNSType? {
        attributeTypes.indices.contains(index) ? DNSType(rawValue: attributeTypes[index]) : nil
    }

    /// IANA's name for the types that have their own attribute value, else `other`.
    public var attribute: String {
        attributeIndex < Self.attributeCount &- 1 ? mnemonic : "other"
    }
}
