/// The Protocol Buffers wire format, protobuf.dev/programming-guides/encoding, as far as messages that are written by hand
/// need it.
extension ByteBuffer {
    /// Appends a base-128 varint; `int64` and `uint32` fields are written like this too.
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends eight bytes, the least significant first.
    mutating func append(fixed64 value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { append($0.bindMemory(to: UInt8.self)) }
    }

    /// Appends a field of bytes: its tag (field number and wire type 2), the length, the bytes.
    mutating func append(tag: UInt8, _ text: String) {
        append(tag)
        append(varint: UInt64(text.utf8.count))
        append(text)
    }

    /// Appends a field that is a message.
    mutating func append(tag: UInt8, _ message: borrowing ByteBuffer) {
        append(tag)
        append(varint: UInt64(message.count))
        append(message.bytes)
    }

    /// Appends a range of another buffer.
    mutating func append(_ other: borrowing ByteBuffer, _ range: Range<Int>) {
        append(other, from: range.lowerBound, to: range.upperBound)
    }

    /// How many bytes a varint takes.
    static func varintLength(_ value: UInt64) -> Int {
        (70 &- (value | 1).leadingZeroBitCount) / 7
    }
}

extension ByteBuffer {
    /// Appends a field of eight bytes: its tag (field number and wire type 1) and the value.
    mutating func append(tag: UInt8, fixed64 value: UInt64) {
        append(tag)
        append(fixed64: value)
    }

    /// How many bytes a field takes whose value has so many: its tag below 16, the length, the value.
    static func fieldLength(_ count: Int) -> Int {
        1 &+ varintLength(UInt64(count)) &+ count
    }
}

/// Fields that are written into room that was made for all of them: one check instead of one for each byte.
struct FieldWriter {
    private let room: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    fileprivate init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        self.room = room
    }

    /// Writes one byte.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        guard count < room.count else { return }
        room[count] = byte
        count &+= 1
    }

    /// Writes a base-128 varint.
    @inline(__always)
    mutating func put(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes eight bytes, the least significant first.
    @inline(__always)
    mutating func put(fixed64 value: UInt64) {
        guard count &+ 8 <= room.count, let start = room.baseAddress else { return }
        UnsafeMutableRawPointer(start + count).storeBytes(of: value.littleEndian, as: UInt64.self)
        count &+= 8
    }
}

extension ByteBuffer {
    /// Appends what `write` puts into room for at most so many bytes; what is beyond it is left out.
    @inline(__always)
    mutating func append(atMost room: Int, _ write: (inout FieldWriter) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { bytes in
            var fields = FieldWriter(bytes)
            write(&fields)
            append(UnsafeBufferPointer(rebasing: bytes[..<fields.count]))
        }
    }
}
