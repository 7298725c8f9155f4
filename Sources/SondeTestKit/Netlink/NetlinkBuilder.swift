/// Builds datagrams as the kernel sends them, in the host's byte order; also wrong ones.
public struct NetlinkBuilder {
    /// What was built so far.
    public private(set) var bytes: [UInt8] = []

    /// An empty datagram.
    public init() {}

    /// Appends a message: a header, the fixed part, then what `attributes` appends.
    public mutating func message(
        _ type: UInt16,
        flags: UInt16 = 2,
        sequence: UInt32,
        fixed: [UInt8],
        attributes: (inout NetlinkBuilder) -> Void = { _ in }
    ) {
        var inner = NetlinkBuilder()
        attributes(&inner)
        let content = fixed + inner.bytes
        bytes += Self.bytes(UInt32(16 + content.count)) + Self.bytes(type) + Self.bytes(flags)
        bytes += Self.bytes(sequence) + Self.bytes(UInt32(0)) + content
        pad()
    }

    /// Appends an attribute.
    public mutating func attribute(_ type: UInt16, _ value: [UInt8]) {
        bytes += Self.bytes(UInt16(4 + value.count)) + Self.bytes(type) + value
        pad()
    }

    /// Appends a number as an attribute.
    public mutating func attribute<Number: FixedWidthInteger>(_ type: UInt16, number: Number) {
        attribute(type, Self.bytes(number))
    }

    /// Appends a text with its NUL as an attribute.
    public mutating func attribute(_ type: UInt16, text: String) {
        attribute(type, Array(text.utf8) + [0])
    }

    /// The end of a dump (NLMSG_DONE), or an error (NLMSG_ERROR) when `number` is not 0.
    public mutating func end(sequence: UInt32, error number: Int32 = 0) {
        message(number == 0 ? 3 : 2, sequence: sequence, fixed: Self.bytes(-number))
    }

    /// The bytes of a number.
    public static func bytes<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        withUnsafeBytes(of: value) { [UInt8]($0) }
    }

    private mutating func pad() {
        while bytes.count % 4 != 0 { bytes.append(0) }
    }
}
