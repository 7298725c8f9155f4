/// The header of UDP, as it was received: nothing in it has been checked.
///
/// Source: RFC 768.
public struct UDPHeader: Equatable, Sendable {
    /// How long the header is, in bytes.
    public static let length = 8

    /// The sender's port.
    public let sourcePort: UInt16
    /// The receiver's port.
    public let destinationPort: UInt16
    /// The datagram's length field, header and data, in bytes; 0 in a jumbogram (RFC 2675 section 4).
    public let datagramLength: Int

    /// The header at `offset`, or nil when the bytes end inside of it.
    @inline(__always)
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        sourcePort = bytes.unchecked16(offset)
        destinationPort = bytes.unchecked16(offset &+ 2)
        datagramLength = Int(bytes.unchecked16(offset &+ 4))
    }
}
