extension CaptureReader {
    private static let resolutionOption: UInt16 = 9
    private static let offsetOption: UInt16 = 14

    /// Interface Description Block.
    mutating func addInterface(_ block: Block) throws(CaptureFileError) {
        guard block.bodyEnd >= 16 else {
            throw .malformed("an interface block is too short", at: window.offset)
        }
        let start = window.start
        var interface = BlockInterface(
            linkType: UInt32(section.order.uint16(start, 8)),
            snapshotLength: section.order.uint32(start, 12)
        )
        try readOptions(block, into: &interface)
        interface.slot = UInt16(clamping: interfaceCount)
        guard section.add(interface) else { throw .tooManyInterfaces(at: window.offset) }
        interfaceCount &+= 1
        note(interface.linkType)
        window.advance(block.length)
    }

    /// Code, length, value, padded to 4 bytes, until code 0 or the end of the block.
    private func readOptions(_ block: Block, into interface: inout BlockInterface) throws(CaptureFileError) {
        let (start, order) = (window.start, section.order)
        var offset = 16
        while offset + 4 <= block.bodyEnd {
            let code = order.uint16(start, offset)
            let length = Int(order.uint16(start, offset + 2))
            guard code != 0 else { return }
            guard offset + 4 + length <= block.bodyEnd else {
                throw .malformed("an option is longer than its block", at: window.offset)
            }
            if code == Self.resolutionOption, length >= 1 {
                interface.resolution = TimeResolution(code: start.load(fromByteOffset: offset + 4, as: UInt8.self))
            } else if code == Self.offsetOption, length >= 8 {
                interface.offset = Int64(bitPattern: order.uint64(start, offset + 4))
            }
            offset += 4 + (length + 3) & ~3
        }
    }
}
