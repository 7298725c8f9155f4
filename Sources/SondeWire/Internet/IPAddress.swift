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

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal for IPv4, the canonical form of RFC 5952 for IPv6.
    public var description: String {
        if let number = ipv4 {
            return "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        }
        let zeros = longestZeroRun
        var text = ""
        var index = 0
        while index < 8 {
            if index == zeros.lowerBound, !zeros.isEmpty {
                text += "::"
                index = zeros.upperBound
                continue
            }
            if index > 0, index != zeros.upperBound || zeros.isEmpty { text += ":" }
            text += String(group(index), radix: 16)
            index += 1
        }
        return text
    }

    /// The 16-bit group at `index`, 0 to 7.
    private func group(_ index: Int) -> UInt16 {
        let half = index < 4 ? high : low
        return UInt16(truncatingIfNeeded: half >> UInt64(48 - (index & 3) * 16))
    }

    /// The groups that `::` replaces: the first of the longest runs of at least two zeros; empty when there is none.
    private var longestZeroRun: Range<Int> {
        var best = 0..<0
        var start = 0
        for index in 0..<8 {
            guard group(index) == 0 else {
                start = index + 1
                continue
            }
            let run = start..<(index + 1)
            if run.count > max(best.count, 1) { best = run }
        }
        return best
    }
}
