extension FrameDecoder {
    /// Decodes a frame of the kind that networks mostly carry: Ethernet with at most one VLAN tag, IPv4 without options or
    /// IPv6 without extensions, TCP or UDP, everything sound and captured.
    ///
    /// Returns false for any other one, and then `frame` means nothing. What it finds is what `decodeLayers` finds, for
    /// less than half of the instructions: lengths are compared once for each header, and most fields are written once.
    @inline(__always)
    static func decodePlain(_ bytes: WireBytes, wireLength: UInt32, into frame: inout DecodedFrame) -> Bool {
        // Up to the fixed header of UDP in IPv4 behind a tag.
        guard bytes.count >= EthernetHeader.length &+ VLANTag.length &+ 28 else { return false }
        frame.setPlain()
        var type = bytes.unchecked16(12)
        var start = EthernetHeader.length
        frame.vlanID = nil
        frame.vlanCount = 0
        if type == EtherType.vlan.rawValue {
            frame.vlanID = bytes.unchecked16(start) & 0x0fff
            frame.vlanCount = 1
            type = bytes.unchecked16(start &+ 2)
            start &+= VLANTag.length
        }
        if type == EtherType.ipv4.rawValue {
            return decodePlainIPv4(bytes, at: start, wireLength, &frame)
        }
        return type == EtherType.ipv6.rawValue && decodePlainIPv6(bytes, at: start, wireLength, &frame)
    }

    /// Decodes a packet without options that is no fragment; there are 28 bytes at `start`.
    @inline(__always)
    private static func decodePlainIPv4(
        _ bytes: WireBytes, at start: Int, _ wireLength: UInt32, _ frame: inout DecodedFrame
    ) -> Bool {
        guard bytes.unchecked8(start) == 0x45, bytes.unchecked16(start &+ 6) & 0x3fff == 0 else { return false }
        frame.network = .ipv4
        frame.source = IPAddress(ipv4: bytes.unchecked32(start &+ 12))
        frame.destination = IPAddress(ipv4: bytes.unchecked32(start &+ 16))
        let end = start &+ Int(bytes.unchecked16(start &+ 2))
        let transport = IPProtocol(rawValue: bytes.unchecked8(start &+ 9))
        return decodePlainTransport(
            transport, bytes, at: start &+ IPv4Header.minimumLength, end: end, wireLength, &frame)
    }

    /// Decodes a packet whose length is known.
    @inline(__always)
    private static func decodePlainIPv6(
        _ bytes: WireBytes, at start: Int, _ wireLength: UInt32, _ frame: inout DecodedFrame
    ) -> Bool {
        guard bytes.count >= start &+ IPv6Header.length, bytes.unchecked8(start) >> 4 == 6 else { return false }
        let length = Int(bytes.unchecked16(start &+ 4))
        guard length > 0 else { return false }
        frame.network = .ipv6
        frame.source = IPAddress(high: bytes.unchecked64(start &+ 8), low: bytes.unchecked64(start &+ 16))
        frame.destination = IPAddress(high: bytes.unchecked64(start &+ 24), low: bytes.unchecked64(start &+ 32))
        let transport = IPProtocol(rawValue: bytes.unchecked8(start &+ 6))
        let next = start &+ IPv6Header.length
        return decodePlainTransport(transport, bytes, at: next, end: next &+ length, wireLength, &frame)
    }

    /// Decodes TCP or UDP at `start` in a packet that ends at `end`, or before where the frame does.
    @inline(__always)
    private static func decodePlainTransport(
        _ transport: IPProtocol, _ bytes: WireBytes, at start: Int, end: Int, _ wireLength: UInt32,
        _ frame: inout DecodedFrame
    ) -> Bool {
        frame.transport = transport
        let wireEnd = min(end, max(Int(wireLength), bytes.count))
        if transport == .tcp { return decodePlainTCP(bytes, at: start, wireEnd, &frame) }
        return transport == .udp && decodePlainUDP(bytes, at: start, wireEnd, &frame)
    }

    @inline(__always)
    private static func decodePlainTCP(
        _ bytes: WireBytes, at start: Int, _ wireEnd: Int, _ frame: inout DecodedFrame
    ) -> Bool {
        let capturedEnd = min(wireEnd, bytes.count)
        guard start &+ TCPHeader.minimumLength <= capturedEnd else { return false }
        let length = bytes.unchecked8(start &+ 12) >> 4 &* 4
        guard length >= TCPHeader.minimumLength, start &+ Int(length) <= capturedEnd else { return false }
        frame.setPorts(bytes, at: start)
        frame.tcpSequence = bytes.unchecked32(start &+ 4)
        frame.tcpAcknowledgement = bytes.unchecked32(start &+ 8)
        frame.tcpHeaderLength = length
        frame.tcpFlags = TCPFlags(rawValue: bytes.unchecked8(start &+ 13))
        frame.tcpWindow = bytes.unchecked16(start &+ 14)
        frame.setPayload(at: start &+ Int(length), capturedEnd: capturedEnd, wireEnd: wireEnd)
        return true
    }

    @inline(__always)
    private static func decodePlainUDP(
        _ bytes: WireBytes, at start: Int, _ wireEnd: Int, _ frame: inout DecodedFrame
    ) -> Bool {
        guard start &+ UDPHeader.length <= min(wireEnd, bytes.count) else { return false }
        let length = Int(bytes.unchecked16(start &+ 4))
        let end = start &+ length
        guard length >= UDPHeader.length, end <= wireEnd else { return false }
        frame.setPorts(bytes, at: start)
        frame.tcpSequence = 0
        frame.tcpAcknowledgement = 0
        frame.tcpHeaderLength = 0
        frame.tcpFlags = []
        frame.tcpWindow = 0
        frame.setPayload(at: start &+ UDPHeader.length, capturedEnd: min(end, bytes.count), wireEnd: end)
        return true
    }
}

extension DecodedFrame {
    /// Sets what all plain frames have in common.
    @inline(__always)
    fileprivate mutating func setPlain() {
        malformation = .none
        transportFault = .none
        fragment = .none
        direction = .unknown
        isTruncated = false
        hasAddresses = true
        hasTransportHeader = true
        hasPorts = true
        interfaceIndex = 0
        mplsCount = 0
        otherTagCount = 0
        icmpType = 0
        icmpCode = 0
    }

    @inline(__always)
    fileprivate mutating func setPorts(_ bytes: WireBytes, at start: Int) {
        sourcePort = bytes.unchecked16(start)
        destinationPort = bytes.unchecked16(start &+ 2)
    }

    /// A captured frame is at most as long as 32 bits can express.
    @inline(__always)
    fileprivate mutating func setPayload(at start: Int, capturedEnd: Int, wireEnd: Int) {
        payloadOffset = UInt32(truncatingIfNeeded: start)
        payloadCaptured = UInt32(truncatingIfNeeded: capturedEnd &- start)
        payloadLength = UInt32(truncatingIfNeeded: wireEnd &- start)
    }
}
