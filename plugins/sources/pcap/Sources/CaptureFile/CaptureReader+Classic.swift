internal import SondeWire

extension CaptureReader {
    /// Reads one record of a classic file; `order` is the header's.
    @inline(__always)
    mutating func nextRecord(
        _ header: ClassicHeader,
        _ order: ByteOrder,
        _ packet: inout CapturedPacket
    ) throws(CaptureFileError) -> Bool {
        let headerSize = header.recordHeaderSize
        guard try window.require(headerSize) else { return try endOfFile() }
        let lengths = header.lengths(window.start, order)
        let captured = Int(lengths.captured)
        guard captured <= Self.packetLimit else {
            throw .tooLong(length: UInt64(captured), at: window.offset)
        }
        guard try window.require(headerSize &+ captured) else { throw .truncated(at: window.endOffset) }
        let start = window.start
        let seconds = Int64(order.uint32(start, 0))
        let fraction = Int64(order.uint32(start, 4))
        packet.bytes = WireBytes(UnsafeRawBufferPointer(start: start + headerSize, count: captured))
        packet.wireLength = lengths.wire
        packet.linkType = header.linkType
        packet.interface = 0
        // Both factors are below 2^33: no overflow.
        packet.time = seconds &* 1_000_000_000 &+ fraction &* header.nanosecondsPerFraction
        window.advance(headerSize &+ captured)
        return true
    }

    /// Whether the file ends where it may: after a whole record or block.
    @inline(never)
    func endOfFile() throws(CaptureFileError) -> Bool {
        guard window.count == 0 else { throw .truncated(at: window.endOffset) }
        return false
    }
}

extension ClassicHeader {
    /// The two lengths of the record header at `base`.
    @inline(__always)
    func lengths(_ base: UnsafeRawPointer, _ order: ByteOrder) -> (captured: UInt32, wire: UInt32) {
        let (first, second) = (order.uint32(base, 8), order.uint32(base, 12))
        switch lengthOrder {
        case .captured: return (first, second)
        case .wire: return (second, first)
        case .unknown: return (min(first, second), max(first, second))
        }
    }
}
