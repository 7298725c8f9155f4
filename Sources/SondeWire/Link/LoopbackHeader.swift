/// The four bytes before the packets of a BSD loopback interface: the address family.
///
/// Source: LINKTYPE_NULL and LINKTYPE_LOOP on tcpdump.org. The order of the bytes is that of the capturing machine, which a
/// file does not record: families are small numbers, so it shows in which half the number is.
public struct LoopbackHeader: Equatable, Sendable {
    /// How long the header is, in bytes.
    public static let length = 4

    /// The address family, or the Ethernet type that some systems write in its place.
    public let family: UInt32

    /// The header at `offset`, or nil when the bytes end inside of it.
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard let number = bytes.uint32(at: offset) else { return nil }
        family = number > 0xffff ? number.byteSwapped : number
    }

    /// The network protocol, or nil for a family that carries no IP.
    public var etherType: EtherType? {
        switch family {
        case 2: .ipv4
        // Linux; Windows; NetBSD and OpenBSD; FreeBSD; macOS.
        case 10, 23, 24, 28, 30: .ipv6
        case 0x0600...0xffff: EtherType(rawValue: UInt16(truncatingIfNeeded: family))
        default: nil
        }
    }
}
