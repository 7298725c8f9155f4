internal import SondeWire

/// Steps through the fields of a protobuf message (protobuf.dev/programming-guides/encoding).
///
/// Nothing is copied, and nothing beyond the end is read; groups, which are long deprecated, are invalid here.
struct ProtobufReader {
    /// What a field holds.
    enum Value {
        case number(UInt64)
        case fixed32(UInt32)
        case bytes(WireBytes)
        /// 64 bits that nothing here uses.
        case other
    }

    /// One step.
    enum Step {
        case field(number: UInt64, Value)
        case end
        /// The bytes are no message.
        case malformed
    }

    private let bytes: WireBytes
    private var position = 0

    init(_ bytes: WireBytes) {
        self.bytes = bytes
    }

    @inline(__always)
    mutating func next() -> Step {
        guard position < bytes.count else { return .end }
        guard let key = varint(), key >> 3 != 0 else { return .malformed }
        guard let value = value(ofType: key & 7) else { return .malformed }
        return .field(number: key >> 3, value)
    }

    @inline(__always)
    private mutating func value(ofType type: UInt64) -> Value? {
        switch type {
        case 0: return varint().map(Value.number)
        case 1: return take(8).map { _ in .other }
        case 2:
            guard let length = varint(), length <= UInt64(bytes.count) else { return nil }
            return take(Int(length)).map(Value.bytes)
        case 5:
            // Little-endian, as all numbers of fixed length.
            return take(4)?.uint32(at: 0).map { .fixed32($0.byteSwapped) }
        default: return nil
        }
    }

    @inline(__always)
    private mutating func take(_ count: Int) -> WireBytes? {
        guard bytes.has(count, at: position) else { return nil }
        defer { position &+= count }
        return bytes.dropping(position).prefix(count)
    }

    /// At most ten bytes of seven bits; nil when there is none, or one that 64 bits do not hold.
    @inline(__always)
    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 70 {
            guard let byte = bytes.uint8(at: position) else { return nil }
            position &+= 1
            let part = UInt64(byte & 0x7f)
            guard shift < 63 || part <= 1 else { return nil }
            value |= part << shift
            if byte < 0x80 { return value }
            shift &+= 7
        }
        return nil
    }
}
