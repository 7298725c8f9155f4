internal import SondeWire

/// Counts of frames, before flows are analysed: protocols, fragments, broken headers.
///
/// Cumulative: nothing is reset by being read.
struct FrameCounts: Hashable, Sendable {
    /// IPv4 packets, whole frames.
    var ipv4 = PacketCount()
    /// IPv6 packets, whole frames.
    var ipv6 = PacketCount()
    /// Frames that carry neither, ARP among them.
    var other = PacketCount()
    /// Frames of an unknown link type.
    var unknownLink: UInt64 = 0
    /// Pieces of fragmented packets, the first ones too.
    var fragments: UInt64 = 0
    /// Frames with a broken header before the transport.
    var malformed: UInt64 = 0
    /// Frames that the capture cut inside of a header.
    var truncated: UInt64 = 0
    /// TCP segments; a later fragment is none.
    var tcp: UInt64 = 0
    /// UDP datagrams.
    var udp: UInt64 = 0
    /// ICMP and ICMPv6 messages.
    var icmp: UInt64 = 0

    /// Counts one frame of `length` bytes on the wire.
    @inline(__always)
    mutating func add(_ frame: DecodedFrame, length: UInt32) {
        // Comparisons in the order of what is frequent, where a switch would be a jump through a table.
        if frame.network == .ipv4 {
            ipv4.add(length)
        } else if frame.network == .ipv6 {
            ipv6.add(length)
        } else {
            other.add(length)
            // Otherwise the link header is broken or cut.
            if frame.network == .none, frame.malformation == .none, !frame.isTruncated { unknownLink &+= 1 }
        }
        if frame.malformation.rawValue | frame.fragment.rawValue != 0 || frame.isTruncated {
            if frame.malformation != .none { malformed &+= 1 }
            if frame.isTruncated { truncated &+= 1 }
            if frame.fragment != .none { fragments &+= 1 }
            guard frame.fragment != .later else { return }
        }
        if frame.transport == .tcp {
            tcp &+= 1
        } else if frame.transport == .udp {
            udp &+= 1
        } else if frame.transport == .icmp || frame.transport == .icmpv6 {
            icmp &+= 1
        }
    }
}
