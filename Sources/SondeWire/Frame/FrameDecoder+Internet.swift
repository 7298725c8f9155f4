extension FrameDecoder {
    /// Decodes an IP packet by its version field.
    @inline(never)
    static func decodeIP(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let first = cursor.bytes.uint8(at: cursor.offset) else {
            return miss(1, .ipHeader, cursor, &frame)
        }
        switch first >> 4 {
        case 4: decodeInner(.ipv4, &cursor, &frame)
        case 6: decodeInner(.ipv6, &cursor, &frame)
        default:
            frame.network = .other
            frame.malformation = .ipVersion
        }
    }

    @inline(__always)
    static func decodeIPv4(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        frame.network = .ipv4
        guard let header = IPv4Header(cursor.bytes, at: cursor.offset) else {
            return miss(IPv4Header.minimumLength, .ipHeader, cursor, &frame)
        }
        if let fault = header.fault(of: cursor.remaining) {
            frame.malformation = fault
            return
        }
        // The kernel writes 0 where the network card is going to cut the packet (segmentation offload).
        if header.totalLength != 0 { cursor.end(after: header.totalLength) }
        frame.hasAddresses = true
        frame.source = header.source
        frame.destination = header.destination
        frame.fragment = header.fragment
        frame.transport = header.transport
        guard cursor.holds(header.headerLength) else {
            frame.isTruncated = true
            return
        }
        cursor.skip(header.headerLength)
        if frame.fragment == .later { return }
        if IPExtension.isKnownInIPv4(header.transport) {
            guard walkExtensions(&cursor, &frame) else { return }
        }
        decodeTransport(&cursor, &frame)
    }

    @inline(__always)
    static func decodeIPv6(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        frame.network = .ipv6
        guard let header = IPv6Header(cursor.bytes, at: cursor.offset) else {
            if let first = cursor.bytes.uint8(at: cursor.offset), first >> 4 != 6 { return refuseVersion(&frame) }
            return miss(IPv6Header.length, .ipHeader, cursor, &frame)
        }
        guard header.version == 6 else { return refuseVersion(&frame) }
        cursor.skip(IPv6Header.length)
        // A jumbogram (RFC 2675) and a packet before segmentation offload have 0; so does one that really carries nothing.
        if header.payloadLength != 0 || header.nextHeader == .noNextHeader { cursor.end(after: header.payloadLength) }
        frame.hasAddresses = true
        frame.source = header.source
        frame.destination = header.destination
        frame.transport = header.nextHeader
        if IPExtension.isKnownInIPv6(header.nextHeader) {
            guard walkExtensions(&cursor, &frame) else { return }
        }
        decodeTransport(&cursor, &frame)
    }

    /// As tshark has it, which keeps calling IPv4 what is announced as that.
    @inline(never)
    private static func refuseVersion(_ frame: inout DecodedFrame) {
        frame.network = .other
        frame.malformation = .ipVersion
    }

    /// Goes past the headers between IP and the transport, and leaves in `transport` what they lead to.
    ///
    /// Returns whether the transport's header follows.
    @inline(never)
    private static func walkExtensions(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) -> Bool {
        var count = 0
        while let kind = frame.transport, frame.isExtension(kind) {
            guard count < FrameLimits.ipExtensions else {
                frame.malformation = .extensionLimit
                return false
            }
            count &+= 1
            guard let header = IPExtension(kind, cursor.bytes, at: cursor.offset) else {
                miss(IPExtension.minimumLength, .ipExtension, cursor, &frame)
                return false
            }
            guard cursor.holds(header.length) else {
                miss(header.length, .ipExtension, cursor, &frame)
                return false
            }
            cursor.skip(header.length)
            frame.transport = header.nextHeader
            if kind == .fragment, header.fragment != .none { frame.fragment = header.fragment }
            if frame.fragment == .later { return false }
        }
        return true
    }

    @inline(never)
    static func decodeARP(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        frame.network = .arp
        guard let packet = ARPPacket(cursor.bytes, at: cursor.offset) else {
            return miss(ARPPacket.minimumLength, .arpPacket, cursor, &frame)
        }
        guard cursor.holds(packet.length) else {
            return miss(packet.length, .arpPacket, cursor, &frame)
        }
        cursor.skip(packet.length)
    }
}

extension DecodedFrame {
    fileprivate func isExtension(_ header: IPProtocol) -> Bool {
        network == .ipv6 ? IPExtension.isKnownInIPv6(header) : IPExtension.isKnownInIPv4(header)
    }
}

extension IPv4Header {
    /// What is wrong with the header of a packet that has `remaining` bytes at most.
    @inline(__always)
    fileprivate func fault(of remaining: Int) -> Malformation? {
        if version != 4 { return .ipVersion }
        if headerLength < Self.minimumLength || headerLength > remaining { return .ipHeader }
        if totalLength != 0, totalLength < headerLength { return .ipLength }
        return nil
    }
}
