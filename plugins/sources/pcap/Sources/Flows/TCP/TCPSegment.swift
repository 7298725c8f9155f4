internal import SondeWire

/// What the analysis needs of a TCP segment.
struct TCPSegment: Sendable {
    var sequence: UInt32
    var acknowledgement: UInt32
    /// How many bytes of data it has on the wire.
    var length: UInt32
    var window: UInt16
    var flags: TCPFlags
    /// When it was seen, in microseconds since the flow's first packet.
    var time: UInt32

    /// The segment of a frame whose TCP header is sound.
    @inline(__always)
    init(_ frame: DecodedFrame, at time: UInt32) {
        sequence = frame.tcpSequence
        acknowledgement = frame.tcpAcknowledgement
        length = frame.payloadLength
        window = frame.tcpWindow
        flags = frame.tcpFlags
        self.time = time
    }

    /// Whether it begins, ends or resets the connection.
    var isControl: Bool { !flags.isDisjoint(with: [.syn, .fin, .rst]) }

    /// Whether it takes sequence numbers: data, SYN or FIN.
    var takesSequence: Bool { length > 0 || !flags.isDisjoint(with: [.syn, .fin]) }

    /// The numbers that SYN and FIN take; one for both, which no sender sets together.
    var controlLength: UInt32 { flags.isDisjoint(with: [.syn, .fin]) ? 0 : 1 }

    /// The sequence number after it.
    var end: UInt32 { sequence &+ length &+ controlLength }

    /// Whether it opens a connection: SYN without ACK.
    var isRequest: Bool { flags.contains(.syn) && !flags.contains(.ack) }

    /// Whether it accepts a connection: SYN with ACK.
    var isAcceptance: Bool { flags.isSuperset(of: [.syn, .ack]) }
}

extension UInt32 {
    /// Whether this sequence number is before another one, modulo 2^32 (RFC 9293, section 3.4).
    func precedes(_ other: UInt32) -> Bool {
        Int32(bitPattern: self &- other) < 0
    }
}
