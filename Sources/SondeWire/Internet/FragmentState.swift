/// Which part of a fragmented packet a packet is.
public enum FragmentState: UInt8, Sendable {
    /// A whole packet.
    case none
    /// The first fragment: it has the transport's header, and not all of its data.
    case first
    /// A later fragment: it has no transport header.
    case later
}
