internal import SondeWire

/// What was seen of TCP, over all flows.
///
/// Segments whose header is cut off or broken are in none of these.
struct TCPCounts: Hashable, Sendable {
    /// Segments whose header was sound.
    var segments: UInt64 = 0
    /// SYN without ACK.
    var requests: UInt64 = 0
    /// SYN with ACK.
    var acceptances: UInt64 = 0
    /// Segments with FIN.
    var finishes: UInt64 = 0
    /// Segments with RST.
    var resets: UInt64 = 0
    /// Sent again after a time-out.
    var retransmissions: UInt64 = 0
    /// Sent again because of duplicate acknowledgements.
    var fastRetransmissions: UInt64 = 0
    /// Sent again although acknowledged.
    var spuriousRetransmissions: UInt64 = 0
    /// Out of order.
    var outOfOrder: UInt64 = 0
    /// Keep-alives.
    var keepAlives: UInt64 = 0
    /// Segments whose sender takes no more data.
    var zeroWindows: UInt64 = 0
    /// Zero-window probes to such a receiver.
    var zeroWindowProbes: UInt64 = 0

    /// Segments that were sent again, of every kind.
    var allRetransmissions: UInt64 { retransmissions &+ fastRetransmissions &+ spuriousRetransmissions }

    /// Counts a segment.
    @inline(__always)
    mutating func count(_ flags: TCPFlags, _ verdict: TCPVerdict) {
        segments &+= 1
        if !flags.isDisjoint(with: [.syn, .fin, .rst]) { count(flags) }
        if !verdict.isEmpty { count(verdict) }
    }

    @inline(never)
    private mutating func count(_ flags: TCPFlags) {
        if flags.contains(.syn) {
            if flags.contains(.ack) { acceptances &+= 1 } else { requests &+= 1 }
        }
        if flags.contains(.fin) { finishes &+= 1 }
        if flags.contains(.rst) { resets &+= 1 }
    }

    @inline(never)
    private mutating func count(_ verdict: TCPVerdict) {
        if verdict.contains(.retransmission) { retransmissions &+= 1 }
        if verdict.contains(.fastRetransmission) { fastRetransmissions &+= 1 }
        if verdict.contains(.spuriousRetransmission) { spuriousRetransmissions &+= 1 }
        if verdict.contains(.outOfOrder) { outOfOrder &+= 1 }
        if verdict.contains(.keepAlive) { keepAlives &+= 1 }
        if verdict.contains(.zeroWindow) { zeroWindows &+= 1 }
        if verdict.contains(.zeroWindowProbe) { zeroWindowProbes &+= 1 }
    }
}
