/// How deep headers may be nested; what goes deeper is malformed.
///
/// Link types and these three bound the work for any frame: at most 19 headers are looked at.
public enum FrameLimits {
    /// VLAN tags in one frame, and what stands in their place.
    public static let vlanTags = 3
    /// Labels in one MPLS stack.
    public static let mplsLabels = 4
    /// Headers between the IP header and the transport.
    public static let ipExtensions = 8
}
