/// A growing run of bytes that text formats are written into.
///
/// Keeps its memory when emptied.
public struct ByteBuffer: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

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

    /// Takes every byte out and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
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
        bytes.append(contentsOf: other)
    }

    /// Appends bytes.
    public mutating func append(_ other: ArraySlice<UInt8>) {
        bytes.append(contentsOf: other)
    }

    /// Appends bytes.
    public mutating func append(_ other: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: other)
    }

    /// Appends a string as UTF-8.
    public mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a literal without making a `String` of it.
    public mutating func append(literal text: StaticString) {
        guard text.hasPointerRepresentation else {
            text.withUTF8Buffer { bytes.append(contentsOf: $0) }
            return
        }
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes `start..<end` of another buffer; does nothing when they are not there.
    mutating func append(_ other: borrowing ByteBuffer, from start: Int, to end: Int) {
        other.bytes.withUnsafeBufferPointer { source in
            guard start >= 0, start <= end, end <= source.count else { return }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start..<end]))
        }
    }
}
