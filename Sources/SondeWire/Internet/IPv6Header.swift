/// The fixed header of IPv6, as it was received: nothing in it has been checked.
///
/// Source: RFC 8200, section 3.
public struct IPv6Header: Equatable, Sendable {
    /// How long the header is, in bytes.
    public static let length = 40

    /// The version; 6 when it is IPv6 at all.
    public let version: UInt8
    /// How much follows the header, in bytes; 0 for a jumbogram and before segmentation offload.
    public let payloadLength: Int
    /// What follows the header: an extension or what the packet carries.
    public let nextHeader: IPProtocol
    /// The sender.
    public let source: IPAddress
    /// The receiver.
    public let destination: IPAddress

    /// The header at `offset`, or nil when the bytes end inside of it.
    @inline(__always)
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        version = bytes.unchecked8(offset) >> 4
        payloadLength = Int(bytes.unchecked16(offset &+ 4))
        nextHeader = IPProtocol(rawValue: bytes.unchecked8(offset &+ 6))
        source = IPAddress(high: bytes.unchecked64(offset &+ 8), low: bytes.unchecked64(offset &+ 16))
        destination = IPAddress(high: bytes.unchecked64(offset &+ 24), low: bytes.unchecked64(offset &+ 32))
    }
}
