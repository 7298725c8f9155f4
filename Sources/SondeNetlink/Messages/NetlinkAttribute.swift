internal import SondeDomain

/// One attribute of a message: a type and bytes that may be anything, nested attributes for instance.
///
/// The bytes are the message's: valid for as long as that is.
public struct NetlinkAttribute {
    /// The type, without the flags of its upper two bits (NLA_TYPE_MASK).
    public let type: UInt16
    /// The value.
    public let value: UnsafeRawBufferPointer

    /// The attributes in the value.
    public var nested: NetlinkAttributes { NetlinkAttributes(value) }

    /// A number in the host's byte order, or nil when the value is shorter.
    public func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
        guard value.count >= MemoryLayout<Number>.size else { return nil }
        return value.loadUnaligned(as: type)
    }

    /// The text up to its NUL; see ``ByteText``.
    public var text: String {
        let end = value.firstIndex(of: 0) ?? value.count
        return ByteText.spelled(UnsafeRawBufferPointer(rebasing: value[..<end]))
    }
}

/// The attributes in a stretch of bytes, in their order (`struct nlattr`, linux/netlink.h).
///
/// Ends at the first one that does not fit: a short read cuts a message.
public struct NetlinkAttributes: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset: Int

    /// The attributes from `start` on, after the fixed part of a message.
    public init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) {
        self.bytes = bytes
        offset = start
    }

    /// The next attribute.
    public mutating func next() -> NetlinkAttribute? {
        guard offset >= 0, bytes.count &- offset >= 4 else { return nil }
        let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
        let type = bytes.loadUnaligned(fromByteOffset: offset &+ 2, as: UInt16.self) & 0x3fff
        guard length >= 4, length <= bytes.count &- offset else { return nil }
        let value = UnsafeRawBufferPointer(rebasing: bytes[(offset &+ 4)..<(offset &+ length)])
        offset &+= (length &+ 3) & ~3
        return NetlinkAttribute(type: type, value: value)
    }
}
