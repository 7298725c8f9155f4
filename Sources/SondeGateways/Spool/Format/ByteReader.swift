/// Reads what ``ByteWriter`` wrote from bytes that may be anything.
///
/// Past the end every read returns zero or nothing and ``isValid`` turns false; check it before using a result.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0
    /// Whether everything read so far was there.
    private(set) var isValid = true

    /// A reader at the beginning.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// How many bytes are left.
    var remaining: Int { bytes.count &- offset }

    mutating func fail() {
        isValid = false
        offset = bytes.count
    }

    @inline(__always)
    mutating func byte() -> UInt8 {
        guard offset < bytes.count else {
            fail()
            return 0
        }
        defer { offset &+= 1 }
        return bytes[offset]
    }

    @inline(__always)
    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
        let width = MemoryLayout<Number>.size
        guard remaining >= width else {
            fail()
            return 0
        }
        defer { offset &+= width }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    @inline(__always)
    mutating func variable() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count, shift < 64 {
            let next = bytes[offset]
            offset &+= 1
            value |= UInt64(next & 0x7f) &<< shift
            if next < 0x80 { return value }
            shift &+= 7
        }
        fail()
        return 0
    }

    /// A count of items of at least `size` bytes each, so that none can request more memory than there are bytes.
    mutating func count(ofAtLeast size: Int) -> Int {
        let value = variable()
        guard value <= UInt64(remaining / max(1, size)) else {
            fail()
            return 0
        }
        return Int(value)
    }

    mutating func counted() -> UnsafeRawBufferPointer {
        let length = count(ofAtLeast: 1)
        defer { offset &+= length }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset &+ length)])
    }

    /// A text whose length is not written before it.
    mutating func text(ofLength length: Int) -> String {
        guard remaining >= length else {
            fail()
            return ""
        }
        defer { offset &+= length }
        return String(decoding: bytes[offset..<(offset &+ length)], as: UTF8.self)
    }

    mutating func text() -> String {
        String(decoding: counted(), as: UTF8.self)
    }
}
