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
