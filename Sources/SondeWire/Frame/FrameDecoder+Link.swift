extension FrameDecoder {
    /// Reads the link header and goes on with what it carries.
    @inline(__always)
    static func decodeLink(_ linkType: LinkType, _ cursor: inout FrameCursor, _ frame: inout DecodedFrame) {
        guard let framing = linkType.framing else { return }
        switch framing {
        case .ethernet: decodeEthernet(&cursor, &frame)
        case .rawIP: decodeIP(&cursor, &frame)
        case .linuxCooked: decodeLinuxCooked(&cursor, &frame)
        case .linuxCooked2: decodeLinuxCooked2(&cursor, &frame)
        case .loopback: decodeLoopback(&cursor, &frame)
        case .ppp: decodePPP(PPPHeader(framed: cursor.bytes, at: cursor.offset), &cursor, &frame)
        case .pppoe: decodePPPoE(&cursor, &frame)
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
