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
