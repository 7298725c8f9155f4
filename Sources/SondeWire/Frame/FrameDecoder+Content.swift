extension FrameDecoder {
    /// Decodes what `type` announces.
    ///
    /// Inlined where most frames pass. Everything else takes `decodeInner`, so that there are two copies and not ten.
    @inline(__always)
    static func decodeContent(_ type: EtherType, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        switch type {
        case .ipv4: decodeIPv4(&cursor, &frame)
        case .ipv6: decodeIPv6(&cursor, &frame)
        case .vlan, .serviceVLAN, .oldServiceVLAN: decodeVLAN(&cursor, &frame)
        case .arp: decodeARP(&cursor, &frame)
        case .mpls, .mplsUpstream: decodeMPLS(&cursor, &frame)
        case .pppoeSession: decodePPPoE(&cursor, &frame)
        // Four bytes of control information; a backbone's tag has the addresses of the frame that it carries as well.
        case .virtualNetworkTag: decodeTag(of: 4, &cursor, &frame)
        case .backboneTag: decodeTag(of: 16, &cursor, &frame)
        case .longLLC: decodeLongLLC(&cursor, &frame)
        default: frame.network = .other
        }
    }

    /// Decodes what `type` announces.
    @inline(never)
    static func decodeInner(_ type: EtherType, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        decodeContent(type, &cursor, &frame)
    }

    /// Decodes what follows the number of a header that was no type, but the length of an 802.3 frame.
    @inline(never)
    static func decodeLengthFramed(_ length: UInt16, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        cursor.end(after: Int(length))
        decodeLLC(&cursor, &frame)
    }

    /// Reads one VLAN tag; what it announces may be another, up to the limit.
    @inline(never)
    private static func decodeVLAN(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard frame.vlanCount < FrameLimits.vlanTags else {
            frame.malformation = .vlanLimit
            return
        }
        guard let tag = VLANTag(cursor.bytes, at: cursor.offset) else {
            return miss(VLANTag.length, .vlanTag, cursor, &frame)
        }
        cursor.skip(VLANTag.length)
        if frame.vlanCount == 0 { frame.vlanID = tag.identifier }
        frame.vlanCount &+= 1
        guard tag.typeOrLength > EthernetHeader.maximumLength else {
            return decodeLengthFramed(tag.typeOrLength, &cursor, &frame)
        }
        decodeInner(EtherType(rawValue: tag.typeOrLength), &cursor, &frame)
    }

    /// Skips a tag of `length` bytes that is no VLAN's, and decodes the type after it.
    @inline(never)
    private static func decodeTag(of length: Int, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard takeTag(&frame) else { return }
        guard let type = cursor.bytes.uint16(at: cursor.offset &+ length) else {
            return miss(length &+ 2, .vlanTag, cursor, &frame)
        }
        cursor.skip(length &+ 2)
        guard type > EthernetHeader.maximumLength else { return decodeLengthFramed(type, &cursor, &frame) }
        decodeInner(EtherType(rawValue: type), &cursor, &frame)
    }

    /// Reads an 802.2 header that a type announced, which a type after it may do again.
    @inline(never)
    private static func decodeLongLLC(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        if takeTag(&frame) { decodeLLC(&cursor, &frame) }
    }

    /// Counts what is between the link header and the packet and is no VLAN's tag; false beyond the limit.
    private static func takeTag(_ frame: inout DecodedFrame) -> Bool {
        guard frame.otherTagCount < FrameLimits.otherTags else {
            frame.malformation = .vlanLimit
            return false
        }
        frame.otherTagCount &+= 1
        return true
    }

    /// Reads an 802.2 header; a type that follows from it is at most one layer deeper.
    @inline(never)
    static func decodeLLC(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = LLCHeader(cursor.bytes, at: cursor.offset) else {
            return miss(cursor.captured &+ 1, .llcHeader, cursor, &frame)
        }
        cursor.skip(header.length)
        guard let type = header.etherType else {
            frame.network = .other
            return
        }
        decodeInner(type, &cursor, &frame)
    }

    /// Reads a label stack.
    ///
    /// It has no type for its payload: the first four bits of that do (RFC 4928).
    @inline(never)
    private static func decodeMPLS(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        var isBottom = false
        while !isBottom {
            guard frame.mplsCount < FrameLimits.mplsLabels else {
                frame.malformation = .mplsLimit
                return
            }
            guard let entry = MPLSLabel(cursor.bytes, at: cursor.offset) else {
                return miss(MPLSLabel.length, .mplsLabel, cursor, &frame)
            }
            cursor.skip(MPLSLabel.length)
            frame.mplsCount &+= 1
            isBottom = entry.isBottom
        }
        decodeUnannounced(&cursor, &frame)
    }

    /// Decodes what follows a label stack by its first four bits.
    private static func decodeUnannounced(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let first = cursor.bytes.uint8(at: cursor.offset) else {
            frame.network = .other
            frame.isTruncated = !cursor.ends(before: 1)
            return
        }
        switch first >> 4 {
        case 4: decodeInner(.ipv4, &cursor, &frame)
        case 6: decodeInner(.ipv6, &cursor, &frame)
        default: frame.network = .other
        }
    }

    /// Reads the header of a PPPoE session.
    @inline(never)
    static func decodePPPoE(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = PPPoEHeader(cursor.bytes, at: cursor.offset) else {
            return miss(PPPoEHeader.length, .pppoeHeader, cursor, &frame)
        }
        guard header.isSession else {
            frame.malformation = .pppoeHeader
            return
        }
        cursor.skip(PPPoEHeader.length)
        cursor.end(after: Int(header.payloadLength))
        decodePPP(PPPHeader(protocolIn: cursor.bytes, at: cursor.offset), &cursor, &frame)
    }

    /// Decodes what follows a PPP header, or reports why there is none.
    @inline(never)
    static func decodePPP(_ header: PPPHeader?, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header else { return miss(cursor.captured &+ 1, .pppHeader, cursor, &frame) }
        cursor.skip(header.length)
        switch header.content {
        case .pppProtocol(PPPHeader.ipv4): decodeInner(.ipv4, &cursor, &frame)
        case .pppProtocol(PPPHeader.ipv6): decodeInner(.ipv6, &cursor, &frame)
        case .pppProtocol(PPPHeader.mpls), .pppProtocol(PPPHeader.mplsMulticast): decodeMPLS(&cursor, &frame)
        case .pppProtocol: frame.network = .other
        case .etherType(let type): decodeInner(type, &cursor, &frame)
        }
    }
}
