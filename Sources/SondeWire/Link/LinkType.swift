/// The kind of link-layer header that the frames of a capture begin with.
///
/// The number is the one in the file (LINKTYPE_) or from libpcap (DLT_), which differ for a few types only. Any number
/// can be held: whether frames of it can be decoded is `framing`. Source: tcpdump.org/linktypes.html.
public struct LinkType: Hashable, Sendable, RawRepresentable {
    /// The number, as a file or libpcap gives it.
    public let rawValue: UInt32

    /// The link type with this number, known or not.
    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// BSD loopback; the address family in the byte order of the host that captured.
    @inlinable public static var null: LinkType { LinkType(rawValue: 0) }
    /// Ethernet, without preamble and frame check sequence.
    @inlinable public static var ethernet: LinkType { LinkType(rawValue: 1) }
    /// PPP, with or without address and control bytes.
    @inlinable public static var ppp: LinkType { LinkType(rawValue: 9) }
    /// An IP packet without a link header, as LINKTYPE_RAW numbers it.
    @inlinable public static var raw: LinkType { LinkType(rawValue: 101) }
    /// PPP in HDLC-like framing, or Cisco HDLC.
    @inlinable public static var pppSerial: LinkType { LinkType(rawValue: 50) }
    /// IEEE 802.11, without anything before it.
    @inlinable public static var wireless: LinkType { LinkType(rawValue: 105) }
    /// IEEE 802.11 after a radiotap header.
    @inlinable public static var radiotap: LinkType { LinkType(rawValue: 127) }
    /// What netfilter logged.
    @inlinable public static var nflog: LinkType { LinkType(rawValue: 239) }
    /// IP over InfiniBand.
    @inlinable public static var infiniBand: LinkType { LinkType(rawValue: 242) }
    /// A capture of macOS on several interfaces.
    @inlinable public static var pktap: LinkType { LinkType(rawValue: 258) }
    /// A PPPoE session header, then PPP.
    @inlinable public static var pppEther: LinkType { LinkType(rawValue: 51) }
    /// Cisco HDLC.
    @inlinable public static var ciscoHDLC: LinkType { LinkType(rawValue: 104) }
    /// OpenBSD loopback; the address family in network byte order.
    @inlinable public static var loop: LinkType { LinkType(rawValue: 108) }
    /// Linux cooked capture, version 1.
    @inlinable public static var linuxCooked: LinkType { LinkType(rawValue: 113) }
    /// An IPv4 packet without a link header.
    @inlinable public static var ipv4: LinkType { LinkType(rawValue: 228) }
    /// An IPv6 packet without a link header.
    @inlinable public static var ipv6: LinkType { LinkType(rawValue: 229) }
    /// Linux cooked capture, version 2.
    @inlinable public static var linuxCooked2: LinkType { LinkType(rawValue: 276) }
}

extension LinkType {
    /// How frames of a link type begin.
    public enum Framing: UInt8, Sendable {
        case ethernet
        case rawIP
        case ipv4
        case ipv6
        case linuxCooked
        case linuxCooked2
        case loopback
        case ppp
        case pppoe
        case wireless
        case radiotap
        case nflog
        case infiniBand
        case pktap
    }

    /// How its frames begin, or nil when they cannot be decoded.
    @inlinable @inline(__always)
    public var framing: Framing? {
        switch rawValue {
        case 1: .ethernet
        case 12, 14, 101: .rawIP
        case 228: .ipv4
        case 229: .ipv6
        case 113: .linuxCooked
        case 276: .linuxCooked2
        case 0, 108: .loopback
        case 9, 50, 104: .ppp
        case 51: .pppoe
        case 105: .wireless
        case 127: .radiotap
        case 239: .nflog
        case 242: .infiniBand
        case 258: .pktap
        default: nil
        }
    }
}

extension LinkType: CustomStringConvertible {
    /// The name as libpcap writes it, such as `EN10MB`, or `LINKTYPE_` and the number when libpcap has none.
    public var description: String {
        name ?? "LINKTYPE_\(rawValue)"
    }
}
