extension FrameDecoder {
    /// Reads the link header and decodes what it carries.
    @inline(__always)
    static func decodeLink(_ linkType: LinkType, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let framing = linkType.framing else { return }
        switch framing {
        case .ethernet: decodeEthernet(&cursor, &frame)
        case .rawIP: decodeIP(&cursor, &frame)
        case .ipv4: decodeInner(.ipv4, &cursor, &frame)
        case .ipv6: decodeInner(.ipv6, &cursor, &frame)
        case .linuxCooked: decodeLinuxCooked(&cursor, &frame)
        case .linuxCooked2: decodeLinuxCooked2(&cursor, &frame)
        case .loopback: decodeLoopback(&cursor, &frame)
        case .ppp: decodePPP(PPPHeader(framed: cursor.bytes, at: cursor.offset), &cursor, &frame)
        case .pppoe: decodePPPoE(&cursor, &frame)
        case .wireless: decodeWireless(isPadded: false, &cursor, &frame)
        case .radiotap: decodeRadiotap(&cursor, &frame)
        case .nflog: decodeBehind(CaptureHeader(nflog: cursor.bytes), &cursor, &frame)
        case .infiniBand: decodeBehind(CaptureHeader(infiniBand: cursor.bytes), &cursor, &frame)
        case .pktap: decodeBehind(CaptureHeader(pktap: cursor.bytes), &cursor, &frame)
        }
    }

    @inline(__always)
    private static func decodeEthernet(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = EthernetHeader(cursor.bytes, at: cursor.offset) else {
            return miss(EthernetHeader.length, .linkHeader, cursor, &frame)
        }
        cursor.skip(EthernetHeader.length)
        guard header.typeOrLength > EthernetHeader.maximumLength else {
            return decodeLengthFramed(header.typeOrLength, &cursor, &frame)
        }
        decodeContent(EtherType(rawValue: header.typeOrLength), &cursor, &frame)
    }

    @inline(never)
    private static func decodeLinuxCooked(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = LinuxCookedHeader(version1: cursor.bytes, at: cursor.offset) else {
            return miss(LinuxCookedHeader.length, .linkHeader, cursor, &frame)
        }
        cursor.skip(LinuxCookedHeader.length)
        decodeCooked(header, &cursor, &frame)
    }

    @inline(never)
    private static func decodeLinuxCooked2(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = LinuxCookedHeader(version2: cursor.bytes, at: cursor.offset) else {
            return miss(LinuxCookedHeader.length2, .linkHeader, cursor, &frame)
        }
        cursor.skip(LinuxCookedHeader.length2)
        decodeCooked(header, &cursor, &frame)
    }

    @inline(never)
    private static func decodeCooked(
        _ header: LinuxCookedHeader, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame
    ) {
        frame.direction = header.direction
        frame.interfaceIndex = header.interfaceIndex
        switch header.content {
        case .etherType(let type): decodeInner(type, &cursor, &frame)
        case .logicalLinkControl: decodeLLC(&cursor, &frame)
        case .other: frame.network = .other
        }
    }

    @inline(never)
    private static func decodeLoopback(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = LoopbackHeader(cursor.bytes, at: cursor.offset) else {
            return miss(LoopbackHeader.length, .linkHeader, cursor, &frame)
        }
        cursor.skip(LoopbackHeader.length)
        guard let type = header.etherType else {
            frame.network = .other
            return
        }
        decodeInner(type, &cursor, &frame)
    }
}

extension FrameDecoder {
    /// Decodes what follows a header of the capturing program, or reports why there is none.
    @inline(never)
    private static func decodeBehind(
        _ header: CaptureHeader?, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame
    ) {
        guard let header else { return miss(cursor.captured &+ 1, .linkHeader, cursor, &frame) }
        guard cursor.holds(header.length) else { return miss(header.length, .linkHeader, cursor, &frame) }
        cursor.skip(header.length)
        switch header.content {
        case .etherType(let type): decodeInner(type, &cursor, &frame)
        // Those of the capture itself do not contain each other.
        case .frame(let type) where type != .pktap: decodeLink(type, &cursor, &frame)
        case .frame, .other: frame.network = .other
        }
    }

    @inline(never)
    private static func decodeRadiotap(_ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = WirelessHeader.radiotap(cursor.bytes, at: cursor.offset) else {
            return miss(cursor.captured &+ 1, .linkHeader, cursor, &frame)
        }
        guard cursor.holds(header.length) else { return miss(header.length, .linkHeader, cursor, &frame) }
        cursor.skip(header.length)
        if header.hasCheck { cursor.end(after: max(0, cursor.remaining &- 4)) }
        decodeWireless(isPadded: header.isPadded, &cursor, &frame)
    }

    @inline(never)
    private static func decodeWireless(isPadded: Bool, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let header = WirelessHeader(cursor.bytes, at: cursor.offset, isPadded: isPadded) else {
            return miss(cursor.captured &+ 1, .linkHeader, cursor, &frame)
        }
        guard header.hasContent else {
            frame.network = .other
            return
        }
        guard cursor.holds(header.length) else { return miss(header.length, .linkHeader, cursor, &frame) }
        cursor.skip(header.length)
        decodeLLC(&cursor, &frame)
    }
}

extension LinuxCookedHeader {
    /// Which way the frame went: PACKET_HOST and so on in linux/if_packet.h.
    fileprivate var direction: DecodedFrame.Direction {
        switch packetType {
        case 0: .incoming
        case 1: .broadcast
        case 2: .multicast
        case 3: .foreign
        case 4: .outgoing
        default: .unknown
        }
    }
}
