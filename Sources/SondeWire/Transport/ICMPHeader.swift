/// What the messages of ICMP and of ICMPv6 begin with.
///
/// Source: RFC 792, RFC 4443 section 2.1.
public struct ICMPHeader: Equatable, Sendable {
    /// How long it is, in bytes: type, code and checksum.
    public static let length = 4

    /// The type of message.
    public let type: UInt8
    /// What the type is refined by.
    public let code: UInt8

    /// The header at `offset`, or nil when the bytes end inside of it.
    @inline(__always)
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        type = bytes.unchecked8(offset)
        code = bytes.unchecked8(offset &+ 1)
    }
}
