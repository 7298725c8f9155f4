internal import SondeWire

extension CaptureReader {
    /// Whether a block is the first of the file, which must open a section.
    enum BlockPlace {
        case first
        case later
    }

    /// A block that is completely in the window: its length, and where its body ends.
    struct Block {
        let type: UInt32
        let length: Int
        var bodyEnd: Int { length &- 4 }
    }

    /// Reads blocks until one holds a packet.
    @inline(__always)
    mutating func nextBlock(_ packet: inout CapturedPacket) throws(CaptureFileError) -> Bool {
        while true {
            guard let block = try readBlock(section: .later) else { return false }
            guard block.length > 0 else { continue }
            try fill(&packet, from: block)
            window.advance(block.length)
            return true
        }
    }

    /// Reads the next block, and processes it unless it is a packet: that one stays in the window.
    ///
    /// A block of length 0 means one that was taken in; nil for the end of the file.
    mutating func readBlock(section place: BlockPlace) throws(CaptureFileError) -> Block? {
        guard try window.require(12) else {
            _ = try endOfFile()
            return nil
        }
        let start = window.start
        if start.loadUnaligned(as: UInt32.self) == BlockType.section {
            try beginSection()
            return Block(type: BlockType.section, length: 0)
        }
        guard place == .later else { throw .notCapture }
        let type = section.order.uint32(start, 0)
        let length = section.order.uint32(start, 4)
        switch type {
        case BlockType.enhancedPacket, BlockType.simplePacket, BlockType.obsoletePacket:
            return try whole(type, length)
        case BlockType.interface:
            try addInterface(try whole(type, length))
        default:
            try skipBlock(length)
        }
        return Block(type: type, length: 0)
    }

    /// Brings a block into the window whole and compares the length at its end.
    @inline(__always)
    private mutating func whole(_ type: UInt32, _ length: UInt32) throws(CaptureFileError) -> Block {
        try checkLength(length)
        guard length <= ByteWindow.capacity else { throw .tooLong(length: UInt64(length), at: window.offset) }
        guard try window.require(Int(length)) else { throw .truncated(at: window.endOffset) }
        let block = Block(type: type, length: Int(length))
        guard section.order.uint32(window.start, block.bodyEnd) == length else {
            throw .malformed("the two lengths of a block differ", at: window.offset)
        }
        return block
    }

    @inline(__always)
    private func checkLength(_ length: UInt32) throws(CaptureFileError) {
        guard length >= 12, length & 3 == 0 else {
            throw .malformed("a block cannot be \(length) bytes long", at: window.offset)
        }
    }

    /// Goes past a block of any length without keeping it.
    private mutating func skipBlock(_ length: UInt32) throws(CaptureFileError) {
        try checkLength(length)
        let begin = window.offset
        guard try window.skip(UInt64(length) - 4), try window.require(4) else {
            throw .truncated(at: window.endOffset)
        }
        guard section.order.uint32(window.start, 0) == length else {
            throw .malformed("the two lengths of a block differ", at: begin)
        }
        window.advance(4)
    }

    /// Section Header Block: byte order, version; the interfaces of the previous section are removed.
    private mutating func beginSection() throws(CaptureFileError) {
        let magic = window.start.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        let isSwapped = magic == UInt32(0x1a2b_3c4d).byteSwapped
        guard isSwapped || magic == 0x1a2b_3c4d else {
            throw .malformed("a section has no byte order", at: window.offset)
        }
        section = BlockSection(order: ByteOrder(isSwapped: isSwapped))
        let length = section.order.uint32(window.start, 4)
        guard length >= 28 else {
            throw .malformed("a section header cannot be \(length) bytes long", at: window.offset)
        }
        guard try window.require(16) else { throw .truncated(at: window.endOffset) }
        let (major, minor) = (section.order.uint16(window.start, 12), section.order.uint16(window.start, 14))
        // 1.2 was written by some programs and is the same.
        guard major == 1, minor == 0 || minor == 2 else { throw .unsupportedVersion("pcapng \(major).\(minor)") }
        try skipBlock(length)
    }
}
