/// The Castagnoli checksum (RFC 3720 appendix B.4), eight bytes at a time.
enum CRC32C {
    // Written once before it is published, never freed: a raw table avoids the bounds checks of an array.
    nonisolated(unsafe) private static let tables: UnsafePointer<UInt32> = makeTables()

    /// The checksum of some bytes, or of more bytes after those of `previous`.
    static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
        guard let base = bytes.baseAddress else { return previous }
        let tables = tables
        var crc = ~previous
        var offset = 0
        while bytes.count &- offset >= 8 {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ UInt64(crc)
            crc = tables[1_792 &+ Int(word & 0xff)] ^ tables[1_536 &+ Int((word >> 8) & 0xff)]
            crc ^= tables[1_280 &+ Int((word >> 16) & 0xff)] ^ tables[1_024 &+ Int((word >> 24) & 0xff)]
            crc ^= tables[768 &+ Int((word >> 32) & 0xff)] ^ tables[512 &+ Int((word >> 40) & 0xff)]
            crc ^= tables[256 &+ Int((word >> 48) & 0xff)] ^ tables[Int(word >> 56)]
            offset &+= 8
        }
        while offset < bytes.count {
            let byte = base.load(fromByteOffset: offset, as: UInt8.self)
            crc = tables[Int((crc ^ UInt32(byte)) & 0xff)] ^ (crc >> 8)
            offset &+= 1
        }
        return ~crc
    }

    private static func makeTables() -> UnsafePointer<UInt32> {
        let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 2_048)
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0x82f6_3b78 : value >> 1 }
            tables[index] = value
        }
        for index in 256..<2_048 {
            let previous = tables[index - 256]
            tables[index] = tables[Int(previous & 0xff)] ^ (previous >> 8)
        }
        return UnsafePointer(tables)
    }
}
