extension FrameDecoder {
    /// Goes on after a number that is a type, or the length of an 802.3 frame.
    static func decodeTypeOrLength(_ number: UInt16, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard number <= EthernetHeader.maximumLength else {
            return decodeContent(EtherType(rawValue: number), &cursor, &frame)
        }
        cursor.end(after: Int(number))
        decodeLLC(&cursor, &frame)
    }

    /// Goes on with what `type` announces.
    static func decodeContent(_ type: EtherType, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        switch type {
        case .ipv4: decodeIPv4(&cursor, &frame)
        case .ipv6: decodeIPv6(&cursor, &frame)
        case .vlan, .serviceVLAN, .oldServiceVLAN: decodeVLAN(&cursor, &frame)
        case .arp: decodeARP(&cursor, &frame)
        case .mpls, .mplsUpstream: decodeMPLS(&cursor, &frame)
        case .pppoeSession: decodePPPoE(&cursor, &frame)
        default: frame.network = .other
        }
    }

    /// Reads one VLAN tag; what it announces may be another, up to the limit.
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
        decodeTypeOrLength(tag.typeOrLength, &cursor, &frame)
    }

    /// Reads an 802.2 header; a type that follows from it is at most one layer deeper.
    static func decodeLLC(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = LLCHeader(cursor.bytes, at: cursor.offset) else {
            return miss(cursor.captured &+ 1, .llcHeader, cursor, &frame)
        }
        cursor.skip(header.length)
        guard let type = header.etherType else {
            frame.network = .other
            return
        }
        decodeContent(type, &cursor, &frame)
    }

    /// Reads a label stack.
    ///
    /// It does not say what it carries: the first four bits of that do (RFC 4928).
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

    /// Goes on after a label stack by the first four bits of what follows.
    private static func decodeUnannounced(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let first = cursor.bytes.uint8(at: cursor.offset) else {
            frame.network = .other
            frame.isTruncated = !cursor.ends(before: 1)
            return
        }
        switch first >> 4 {
        case 4: decodeIPv4(&cursor, &frame)
        case 6: decodeIPv6(&cursor, &frame)
        default: frame.network = .other
        }
    }

    /// Reads the header of a PPPoE session.
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

    /// Goes on after a PPP header, or says why there is none.
    static func decodePPP(_ header: PPPHeader?, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header else { return miss(cursor.captured &+ 1, .pppHeader, cursor, &frame) }
        cursor.skip(header.length)
        switch header.content {
        case .pppProtocol(PPPHeader.ipv4): decodeIPv4(&cursor, &frame)
        case .pppProtocol(PPPHeader.ipv6): decodeIPv6(&cursor, &frame)
        case .pppProtocol(PPPHeader.mpls), .pppProtocol(PPPHeader.mplsMulticast): decodeMPLS(&cursor, &frame)
        case .pppProtocol: frame.network = .other
        case .etherType(let type): decodeContent(type, &cursor, &frame)
        }
    }
}
