/// The fields of a message of Protocol Buffers that somebody else wrote, one after the other.
///
/// Ends at the first one that is malformed; of a text that is cut short, what is there is its value.
struct ProtobufFields: Sequence, IteratorProtocol {
    /// The value of a field, by its wire type.
    enum Value: Hashable {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>

    /// The fields of a message.
    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func next() -> (number: UInt64, value: Value)? {
        guard let tag = varint() else { return nil }
        guard let value = value(tag & 7) else {
            rest = []
            return nil
        }
        return (tag >> 3, value)
    }

    private mutating func value(_ wireType: UInt64) -> Value? {
        switch wireType {
        case 0: varint().map { .varint($0) }
        case 1: fixed(8).map { .fixed64($0) }
        case 2: varint().map { .bytes(take($0)) }
        case 5: fixed(4).map { .fixed32(UInt32(truncatingIfNeeded: $0)) }
        default: nil
        }
    }

    private mutating func varint() -> UInt64? {
        var (value, shift) = (0 as UInt64, 0 as UInt64)
        while shift < 70, let byte = rest.popFirst() {
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        rest = []
        return nil
    }

    private mutating func fixed(_ count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        return take(UInt64(count)).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: UInt64) -> ArraySlice<UInt8> {
        let taken = rest.prefix(Int(clamping: count))
        rest = rest.dropFirst(taken.count)
        return taken
    }
}
