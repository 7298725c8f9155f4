/// An IPv4 or IPv6 address: 16 bytes, without allocation.
///
/// IPv4 addresses are held in the IPv4-mapped form of RFC 4291 section 2.5.5.2 (`::ffff:0:0/96`), so that one table holds
/// both families. Numbers are in the host's order: `high` begins with the first byte of the address.
public struct IPAddress: Hashable, Sendable {
    /// The first eight bytes.
    public var high: UInt64
    /// The last eight bytes.
    public var low: UInt64

    /// The address with these bytes.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The IPv4 address whose first byte is the number's highest.
    @inlinable
    public init(ipv4 number: UInt32) {
        high = 0
        low = 0xffff_0000_0000 | UInt64(number)
    }

    /// The address of 4 or 16 bytes in network order; nil for another number of bytes.
    public init?(bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 4:
            self.init(ipv4: bytes.loadUnaligned(as: UInt32.self).bigEndian)
        case 16:
            self.init(
                high: bytes.loadUnaligned(as: UInt64.self).bigEndian,
                low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            )
        default: return nil
        }
    }

    /// The unspecified address `::`.
    public static let unspecified = IPAddress(high: 0, low: 0)

    /// Whether it is an IPv4 address, or an IPv6 address that maps one.
    @inlinable
    public var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// The IPv4 address as a number, or nil.
    @inlinable
    public var ipv4: UInt32? { isIPv4 ? UInt32(truncatingIfNeeded: low) : nil }
}

extension IPAddress: Comparable {
    /// By the bytes from the first on.
    @inlinable
    public static func < (left: IPAddress, right: IPAddress) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
