/// A header that the capturing program puts before a packet, and what it announces.
///
/// Source: LINKTYPE_NFLOG, LINKTYPE_IPOIB and LINKTYPE_PKTAP on tcpdump.org.
public struct CaptureHeader: Equatable, Sendable {
    /// What follows the header.
    public enum Content: Equatable, Sendable {
        case etherType(EtherType)
        /// A frame with its own link type.
        case frame(LinkType)
        /// Something that carries no IP, or nothing at all.
        case other
    }

    /// How long the header is, in bytes.
    public let length: Int
    /// What follows the header.
    public let content: Content

    /// The header of a packet that netfilter logged: four bytes, then values with their lengths and types before them, of
    /// which one is the packet; nil when the bytes end inside of it.
    public init?(nflog bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(4, at: offset) else { return nil }
        let family = bytes.unchecked8(offset)
        var position = offset &+ 4
        // Each value has four bytes at least: the bytes bound the walk.
        while bytes.has(4, at: position) {
            // In the order of the host that captured, which is little-endian nearly everywhere, as tshark has it.
            let size = Int(bytes.unchecked16(position).byteSwapped)
            let type = bytes.unchecked16(position &+ 2).byteSwapped & 0x7fff
            guard size >= 4 else { return nil }
            // NFULA_PAYLOAD, linux/netfilter/nfnetlink_log.h
            if type == 9 {
                length = position &+ 4 &- offset
                switch family {
                case 2: content = .etherType(.ipv4)
                case 10: content = .etherType(.ipv6)
                default: content = .other
                }
                return
            }
            position &+= (size &+ 3) & ~3
        }
        return nil
    }

    /// The header of IP over InfiniBand: where it comes from and goes to in 40 bytes, then an Ethernet type (RFC 4391).
    public init?(infiniBand bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(44, at: offset) else { return nil }
        length = 44
        content = .etherType(EtherType(rawValue: bytes.unchecked16(offset &+ 40)))
    }

    /// The header of macOS's captures on several interfaces: its length, what kind of record it is, and the link type.
    public init?(pktap bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(12, at: offset) else { return nil }
        length = Int(bytes.unchecked32(offset).byteSwapped)
        let record = bytes.unchecked32(offset &+ 4).byteSwapped
        guard length >= 12 else { return nil }
        content = record == 1 ? .frame(LinkType(rawValue: bytes.unchecked32(offset &+ 8).byteSwapped)) : .other
    }
}
