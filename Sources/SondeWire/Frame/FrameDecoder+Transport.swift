extension FrameDecoder {
    /// Reads the transport's header, if it is one that is known.
    @inline(__always)
    static func decodeTransport(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        switch frame.transport {
        case .some(.tcp): decodeTCP(&cursor, &frame)
        case .some(.udp): decodeUDP(&cursor, &frame)
        case .some(.icmp): decodeICMP(.ipv4, &cursor, &frame)
        case .some(.icmpv6): decodeICMP(.ipv6, &cursor, &frame)
        case .some(.sctp): decodeSCTP(&cursor, &frame)
        default: break
        }
    }

    /// Records why a transport header of `length` bytes could not be read.
    private static func missTransport(_ length: Int, _ cursor: FrameCursor, _ frame: inout DecodedFrame) {
        if cursor.ends(before: length) {
            frame.transportFault = .tooShort
        } else {
            frame.isTruncated = true
        }
    }

    /// Records why the header of a transport with ports could not be read, and keeps the ports where they were captured.
    @inline(never)
    private static func missPorts(_ length: Int, _ cursor: FrameCursor, _ frame: inout DecodedFrame) {
        missTransport(length, cursor, &frame)
        guard frame.isTruncated, cursor.holds(4) else { return }
        frame.hasPorts = true
        frame.sourcePort = cursor.bytes.unchecked16(cursor.offset)
        frame.destinationPort = cursor.bytes.unchecked16(cursor.offset &+ 2)
    }

    @inline(__always)
    private static func setPorts(_ source: UInt16, _ destination: UInt16, _ frame: inout DecodedFrame) {
        frame.hasTransportHeader = true
        frame.hasPorts = true
        frame.sourcePort = source
        frame.destinationPort = destination
    }

    @inline(__always)
    private static func decodeTCP(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = TCPHeader(cursor.bytes, at: cursor.offset) else {
            return missPorts(TCPHeader.minimumLength, cursor, &frame)
        }
        setPorts(header.sourcePort, header.destinationPort, &frame)
        frame.tcpFlags = header.flags
        frame.tcpHeaderLength = UInt8(truncatingIfNeeded: header.headerLength)
        frame.tcpWindow = header.window
        frame.tcpSequence = header.sequence
        frame.tcpAcknowledgement = header.acknowledgement
        guard header.headerLength >= TCPHeader.minimumLength, !cursor.ends(before: header.headerLength) else {
            frame.transportFault = .headerLength
            cursor.skip(TCPHeader.minimumLength)
            return
        }
        frame.isTruncated = !cursor.holds(header.headerLength)
        cursor.skip(header.headerLength)
    }

    @inline(__always)
    private static func decodeUDP(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = UDPHeader(cursor.bytes, at: cursor.offset) else {
            return missPorts(UDPHeader.length, cursor, &frame)
        }
        setPorts(header.sourcePort, header.destinationPort, &frame)
        let remaining = cursor.remaining
        cursor.skip(UDPHeader.length)
        // A jumbogram has 0. A first fragment is shorter than its datagram.
        if header.datagramLength == 0, frame.network == .ipv6 { return }
        guard header.datagramLength >= UDPHeader.length,
            header.datagramLength <= remaining || frame.fragment == .first
        else {
            frame.transportFault = .datagramLength
            return
        }
        cursor.end(after: header.datagramLength &- UDPHeader.length)
    }

    private static func decodeICMP(
        _ family: DecodedFrame.Network, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame
    ) {
        // ICMP of the other family means nothing to a receiver.
        guard frame.network == family else { return }
        guard let header = ICMPHeader(cursor.bytes, at: cursor.offset) else {
            return missTransport(ICMPHeader.length, cursor, &frame)
        }
        cursor.skip(ICMPHeader.length)
        frame.hasTransportHeader = true
        frame.icmpType = header.type
        frame.icmpCode = header.code
    }

    private static func decodeSCTP(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = SCTPHeader(cursor.bytes, at: cursor.offset) else {
            return missPorts(SCTPHeader.length, cursor, &frame)
        }
        cursor.skip(SCTPHeader.length)
        setPorts(header.sourcePort, header.destinationPort, &frame)
    }
}
