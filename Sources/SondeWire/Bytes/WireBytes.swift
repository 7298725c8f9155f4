/// Received bytes, read in network byte order and never past their end.
///
/// A view: its creator keeps the memory alive and unchanged while the view is used. Nothing is copied or allocated.
public struct WireBytes {
    @usableFromInline let base: UnsafeRawPointer
    /// How many bytes there are.
    public let count: Int

    /// The bytes of `buffer`.
    @inlinable
    public init(_ buffer: UnsafeRawBufferPointer) {
        // An empty buffer may have no address; any address will do for a view that reads nothing.
        base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
        count = buffer.count
    }

    @inlinable
    init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    /// Whether there are `length` bytes at `offset`; false for negative numbers.
    @inlinable
    public func has(_ length: Int, at offset: Int = 0) -> Bool {
        offset >= 0 && length >= 0 && length <= count &- offset
    }

    /// The byte at `offset`, or nil past the end.
    @inlinable
    public func uint8(at offset: Int) -> UInt8? {
        has(1, at: offset) ? unchecked8(offset) : nil
    }

    /// The 16-bit number at `offset`, or nil past the end.
    @inlinable
    public func uint16(at offset: Int) -> UInt16? {
        has(2, at: offset) ? unchecked16(offset) : nil
    }

    /// The 32-bit number at `offset`, or nil past the end.
    @inlinable
    public func uint32(at offset: Int) -> UInt32? {
        has(4, at: offset) ? unchecked32(offset) : nil
    }

    /// The 64-bit number at `offset`, or nil past the end.
    @inlinable
    public func uint64(at offset: Int) -> UInt64? {
        has(8, at: offset) ? unchecked64(offset) : nil
    }

    /// The bytes from `offset` to the end; empty past the end.
    @inlinable
    public func dropping(_ offset: Int) -> WireBytes {
        let start = min(max(offset, 0), count)
        return WireBytes(base: base + start, count: count &- start)
    }

    /// The first `length` bytes, or all when there are fewer.
    @inlinable
    public func prefix(_ length: Int) -> WireBytes {
        WireBytes(base: base, count: min(max(length, 0), count))
    }

    /// The bytes as a buffer, for copying them out.
    @inlinable
    public var buffer: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: count)
    }
}

extension WireBytes {
    // One `has` before several of these keeps a header's decoding to a single comparison.

    @inlinable
    func unchecked8(_ offset: Int) -> UInt8 {
        base.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inlinable
    func unchecked16(_ offset: Int) -> UInt16 {
        UInt16(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inlinable
    func unchecked32(_ offset: Int) -> UInt32 {
        UInt32(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inlinable
    func unchecked64(_ offset: Int) -> UInt64 {
        UInt64(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
