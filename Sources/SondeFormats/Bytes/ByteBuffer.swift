internal import SondeDomain

/// A growing run of bytes that text formats are written into.
///
/// Keeps its memory when emptied, as long as its contents need it.
public struct ByteBuffer: Sendable {
    // Less is not worth giving back: it is of the heap, and the system gets nothing.
    private static var small: Int { MappedAllocation.smallest }
    // So many contents tell what the next ones will need.
    private static var patience: Int { 8 }

    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    /// The size of the largest contents since memory was last given back or kept for it.
    private var largest = 0
    private var contents = 0

    /// An empty buffer.
    public init() {}

    /// How many bytes there are.
    public var count: Int { bytes.count }

    /// Whether there are none.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Makes room for `count` bytes in all.
    public mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Takes every byte out; keeps the memory, unless the last eight contents needed less than half of a mapped one (`MappedAllocation`).
    public mutating func removeAll() {
        shrink()
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func shrink() {
        guard bytes.capacity > Self.small else { return }
        largest = max(largest, bytes.count)
        contents &+= 1
        guard contents >= Self.patience else { return }
        if largest < bytes.capacity / 2 {
            bytes = []
            bytes.reserveCapacity(largest)
        }
        (largest, contents) = (0, 0)
    }

    /// Takes out what was written after the first `count` bytes.
    public mutating func truncate(to count: Int) {
        guard count < bytes.count else { return }
        bytes.removeSubrange(max(0, count)...)
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends bytes.
    public mutating func append(_ other: [UInt8]) {
        other.withUnsafeBufferPointer { append($0) }
    }

    /// Appends bytes.
    public mutating func append(_ other: ArraySlice<UInt8>) {
        other.withUnsafeBufferPointer { append($0) }
    }

    // `append(contentsOf:)` is general: it takes half as many instructions again for some tens of bytes.
    /// Appends bytes.
    public mutating func append(_ other: UnsafeBufferPointer<UInt8>) {
        guard let start = other.baseAddress else { return }
        bytes.append(addingCapacity: other.count) { output in
            output.withUnsafeMutableBufferPointer { room, count in
                guard let end = room.baseAddress, room.count - count >= other.count else { return }
                (end + count).initialize(from: start, count: other.count)
                count += other.count
            }
        }
    }

    /// Appends a string as UTF-8.
    public mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a literal without making a `String` of it.
    public mutating func append(literal text: StaticString) {
        guard text.hasPointerRepresentation else {
            text.withUTF8Buffer { append($0) }
            return
        }
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes `start..<end` of another buffer; does nothing when they are not there.
    mutating func append(_ other: borrowing ByteBuffer, from start: Int, to end: Int) {
        other.bytes.withUnsafeBufferPointer { source in
            guard start >= 0, start <= end, end <= source.count else { return }
            append(UnsafeBufferPointer(rebasing: source[start..<end]))
        }
    }
}

extension ByteBuffer {
    /// Appends an unsigned integer in decimal.
    public mutating func append(decimal value: UInt64) {
        guard value >= 10 else {
            append(UInt8(truncatingIfNeeded: value) &+ 0x30)
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value
            var index = 20
            while rest > 0, index > 0 {
                index &-= 1
                let quotient = rest / 10
                digits[index] = UInt8(truncatingIfNeeded: rest &- quotient &* 10) &+ 0x30
                rest = quotient
            }
            append(UnsafeBufferPointer(rebasing: digits[index..<20]))
        }
    }

    /// Appends a signed integer in decimal.
    public mutating func append(decimal value: Int64) {
        if value < 0 { append(0x2d) }
        append(decimal: value.magnitude)
    }

    /// Appends the shortest text that reads back as the same finite double, `0.1`, `12.0` or `1e+300`.
    ///
    /// False, and nothing is written, for NaN and infinities.
    public mutating func append(shortest value: Double) -> Bool {
        guard value.isFinite else { return false }
        // Whole numbers are by far the most frequent; below 2^53 their text is that of the integer. The conversion
        // cannot trap there. `rounded()` and `Int64(exactly:)` would need libm in debug builds.
        guard abs(value) < 9_007_199_254_740_992, value != 0, Double(Int64(value)) == value else {
            value.write(to: &self)
            return true
        }
        append(decimal: Int64(value))
        append(literal: ".0")
        return true
    }
}

extension ByteBuffer: TextOutputStream {
    /// Appends a string as UTF-8.
    public mutating func write(_ string: String) {
        append(string)
    }

    // Not documented by the standard library, which falls back to `write(_:)` if it ever stops to call it: a double
    // arrives here as bytes, without a String on the heap.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
        append(buffer)
    }
}
