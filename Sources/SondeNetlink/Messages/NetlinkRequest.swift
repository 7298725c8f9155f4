/// One request to the kernel, made once and sent as often as wanted.
public struct NetlinkRequest: Sendable {
    /// What the kernel should do with it.
    public enum Mode: UInt16, Sendable {
        /// One answer (NLM_F_REQUEST).
        case one = 0x1
        /// Everything there is (NLM_F_REQUEST with NLM_F_DUMP).
        case dump = 0x301
    }

    private(set) var bytes: [UInt8]

    /// A request of a type, RTM_GETLINK for instance, with the fixed part of its content.
    public init(_ type: UInt16, _ mode: Mode, content: [UInt8]) {
        bytes = [UInt8](repeating: 0, count: NetlinkMessage.headerSize)
        Self.store(type, &bytes, at: 4)
        Self.store(mode.rawValue, &bytes, at: 6)
        bytes += content
        finish()
    }

    /// Appends an attribute; one that would not fit (64 KiB) is left out.
    public mutating func append(_ type: UInt16, _ value: [UInt8]) {
        guard let length = UInt16(exactly: value.count &+ 4) else { return }
        bytes += Self.bytes(length) + Self.bytes(type) + value
        finish()
    }

    /// Appends a number as an attribute.
    public mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ type: UInt16, _ value: Number) {
        append(type, Self.bytes(value))
    }

    /// The bytes of a number in the host's order.
    public static func bytes<Number: FixedWidthInteger & BitwiseCopyable>(_ value: Number) -> [UInt8] {
        withUnsafeBytes(of: value) { [UInt8]($0) }
    }

    /// Gives it the number that its answers carry.
    mutating func number(_ sequence: UInt32) {
        Self.store(sequence, &bytes, at: 8)
    }

    private mutating func finish() {
        while bytes.count & 3 != 0 { bytes.append(0) }
        Self.store(UInt32(truncatingIfNeeded: bytes.count), &bytes, at: 0)
    }

    private static func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ value: Number,
        _ bytes: inout [UInt8],
        at offset: Int
    ) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: Number.self) }
    }
}
