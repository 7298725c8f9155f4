/// Which header before the transport is broken.
///
/// A frame that the capture cut off is not broken: see `DecodedFrame.isTruncated`.
public enum Malformation: UInt8, Sendable, CaseIterable {
    /// No header before the transport is broken.
    case none
    /// The frame is shorter on the wire than its link header.
    case linkHeader
    /// The frame ends inside of its 802.2 header.
    case llcHeader
    /// The frame ends inside of a VLAN tag.
    case vlanTag
    /// More VLAN tags than `FrameLimits.vlanTags`, or other tags than `FrameLimits.otherTags`.
    case vlanLimit
    /// The frame ends inside of the MPLS label stack.
    case mplsLabel
    /// More MPLS labels than `FrameLimits.mplsLabels`.
    case mplsLimit
    /// A PPPoE header that ends early, or is not one of session data.
    case pppoeHeader
    /// The frame ends inside of a PPP header.
    case pppHeader
    /// An ARP packet that ends early.
    case arpPacket
    /// The version is not what the link layer announced, or neither 4 nor 6.
    case ipVersion
    /// The packet ends inside of its IP header, or the IPv4 header's length is shorter than one can be.
    case ipHeader
    /// The IPv4 packet's length is shorter than its header.
    case ipLength
    /// The packet ends inside of an extension header.
    case ipExtension
    /// More extension headers than `FrameLimits.ipExtensions`.
    case extensionLimit
}

/// What is wrong with a transport header that is there.
public enum TransportFault: UInt8, Sendable, CaseIterable {
    /// Nothing is wrong, or there is no such header.
    case none
    /// The packet is shorter on the wire than the header.
    case tooShort
    /// The TCP header's length is shorter than one can be, or longer than the packet.
    case headerLength
    /// The UDP datagram's length is shorter than its header, or longer than the packet.
    case datagramLength
}

/// How deep headers may be nested; what goes deeper is malformed.
///
/// Link types and these bound the work for any frame: at most 22 headers are looked at.
public enum FrameLimits {
    /// VLAN tags in one frame.
    public static let vlanTags = 3
    /// Tags of virtual networks and backbones, and 802.2 headers that a type announces, in one frame.
    public static let otherTags = 2
    /// Labels in one MPLS stack.
    public static let mplsLabels = 4
    /// Headers between the IP header and the transport.
    public static let ipExtensions = 8
}
