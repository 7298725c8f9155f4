/// The header of an Ethernet frame, without the addresses.
///
/// Source: IEEE 802.3, clause 3.2.
public struct EthernetHeader: Equatable, Sendable {
    /// How long the header is, in bytes.
    public static let length = 14
    /// Numbers up to this are the length of an 802.3 frame, not a type.
    public static let maximumLength: UInt16 = 1500

    /// The type, or the length of what follows when it is at most `maximumLength`.
    public let typeOrLength: UInt16

    /// The header at `offset`, or nil when the bytes end inside of it.
    @inline(__always)
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        typeOrLength = bytes.unchecked16(offset &+ 12)
    }
}
