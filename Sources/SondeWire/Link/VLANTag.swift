/// A VLAN tag: what follows the type that announced it.
///
/// Source: IEEE 802.1Q clause 9.6, the same for 802.1ad.
public struct VLANTag: Equatable, Sendable {
    /// How long the tag is, in bytes: control information and the type of what follows.
    public static let length = 4

    /// The VLAN, 0 to 4095; 0 carries a priority only.
    public let identifier: UInt16
    /// The priority code point, 0 to 7.
    public let priority: UInt8
    /// The type, or the 802.3 length, of what follows.
    public let typeOrLength: UInt16

    /// The tag at `offset`, or nil when the bytes end inside of it.
    @inline(__always)
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        let control = bytes.unchecked16(offset)
        identifier = control & 0x0fff
        priority = UInt8(truncatingIfNeeded: control >> 13)
        typeOrLength = bytes.unchecked16(offset &+ 2)
    }
}
