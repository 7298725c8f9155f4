/// The common header of SCTP.
///
/// Source: RFC 9260, section 3.1.
public struct SCTPHeader: Equatable, Sendable {
    /// How long the header is, in bytes.
    public static let length = 12

    /// The sender's port.
    public let sourcePort: UInt16
    /// The receiver's port.
    public let destinationPort: UInt16
    /// The tag that the receiver chose for the association.
    public let verificationTag: UInt32

    /// The header at `offset`, or nil when the bytes end inside of it.
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        sourcePort = bytes.unchecked16(offset)
        destinationPort = bytes.unchecked16(offset &+ 2)
        verificationTag = bytes.unchecked32(offset &+ 4)
    }
}
