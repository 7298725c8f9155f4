internal import SondeWire

extension CaptureReader {
    /// The packet in a block.
    @inline(__always)
    func fill(_ packet: inout CapturedPacket, from block: Block) throws(CaptureFileError) {
        switch block.type {
        case BlockType.enhancedPacket: try fillEnhanced(&packet, block)
        case BlockType.simplePacket: try fillSimple(&packet, block)
        default: try fillObsolete(&packet, block)
        }
    }

    /// Enhanced Packet Block.
    @inline(__always)
    private func fillEnhanced(_ packet: inout CapturedPacket, _ block: Block) throws(CaptureFileError) {
        guard block.bodyEnd >= 28 else { throw tooShort() }
        try fill(&packet, block, interface: section.order.uint32(window.start, 8))
    }

    /// Packet Block, which is obsolete: the interface has 16 bits, and 16 bits of dropped packets follow.
    private func fillObsolete(_ packet: inout CapturedPacket, _ block: Block) throws(CaptureFileError) {
        guard block.bodyEnd >= 28 else { throw tooShort() }
        try fill(&packet, block, interface: UInt32(section.order.uint16(window.start, 8)))
    }

    /// What both have in common from byte 12 on.
    @inline(__always)
    private func fill(
        _ packet: inout CapturedPacket,
        _ block: Block,
        interface number: UInt32
    ) throws(CaptureFileError) {
        let (start, order) = (window.start, section.order)
        guard let interface = section.interface(number) else { throw unknownInterface(number) }
        let captured = Int(order.uint32(start, 20))
        guard captured <= Self.packetLimit else { throw .tooLong(length: UInt64(captured), at: window.offset) }
        guard 28 &+ captured <= block.bodyEnd else {
            throw .malformed("a packet is longer than its block", at: window.offset)
        }
        packet.bytes = WireBytes(UnsafeRawBufferPointer(start: start + 28, count: captured))
        packet.wireLength = order.uint32(start, 24)
        packet.linkType = interface.linkType
        packet.interface = interface.slot
        packet.time = interface.time(UInt64(order.uint32(start, 12)) << 32 | UInt64(order.uint32(start, 16)))
    }

    /// Simple Packet Block: of the section's first interface, without a time; how much was captured follows from that
    /// interface's snapshot length.
    private func fillSimple(_ packet: inout CapturedPacket, _ block: Block) throws(CaptureFileError) {
        guard block.bodyEnd >= 12 else { throw tooShort() }
        guard let interface = section.interface(0) else { throw unknownInterface(0) }
        let length = section.order.uint32(window.start, 8)
        let limit = interface.snapshotLength == 0 ? length : min(length, interface.snapshotLength)
        guard limit <= Self.packetLimit else { throw .tooLong(length: UInt64(limit), at: window.offset) }
        guard 12 + Int(limit) <= block.bodyEnd else {
            throw .malformed("a packet is longer than its block", at: window.offset)
        }
        packet.bytes = WireBytes(UnsafeRawBufferPointer(start: window.start + 12, count: Int(limit)))
        packet.wireLength = length
        packet.linkType = interface.linkType
        packet.interface = interface.slot
        packet.time = CapturedPacket.unknownTime
    }

    private func tooShort() -> CaptureFileError {
        .malformed("a packet block is too short", at: window.offset)
    }

    private func unknownInterface(_ number: UInt32) -> CaptureFileError {
        .malformed("a packet is of interface \(number), which the section does not describe", at: window.offset)
    }
}
