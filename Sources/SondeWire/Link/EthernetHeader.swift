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

/// What an Ethernet frame, or anything with the same type numbers, carries.
///
/// Source: IEEE 802 Numbers registry.
public struct EtherType: Hashable, Sendable, RawRepresentable {
    /// The number, above 1,500.
    public let rawValue: UInt16

    /// The type with this number, known or not.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Internet Protocol version 4.
    @inlinable public static var ipv4: EtherType { EtherType(rawValue: 0x0800) }
    /// Address Resolution Protocol.
    @inlinable public static var arp: EtherType { EtherType(rawValue: 0x0806) }
    /// IEEE 802.1Q customer VLAN tag.
    @inlinable public static var vlan: EtherType { EtherType(rawValue: 0x8100) }
    /// Internet Protocol version 6.
    @inlinable public static var ipv6: EtherType { EtherType(rawValue: 0x86dd) }
    /// MPLS, unicast.
    @inlinable public static var mpls: EtherType { EtherType(rawValue: 0x8847) }
    /// MPLS with upstream-assigned label, formerly multicast.
    @inlinable public static var mplsUpstream: EtherType { EtherType(rawValue: 0x8848) }
    /// Backbone service instance tag (IEEE 802.1ah): the frame that it carries begins after it.
    @inlinable public static var backboneTag: EtherType { EtherType(rawValue: 0x88e7) }
    /// An 802.2 header, in frames that are too long to announce it by their length.
    @inlinable public static var longLLC: EtherType { EtherType(rawValue: 0x8870) }
    /// Virtual network tag, of virtual interfaces behind one port.
    @inlinable public static var virtualNetworkTag: EtherType { EtherType(rawValue: 0x8926) }
    /// PPPoE session stage.
    @inlinable public static var pppoeSession: EtherType { EtherType(rawValue: 0x8864) }
    /// IEEE 802.1ad service VLAN tag.
    @inlinable public static var serviceVLAN: EtherType { EtherType(rawValue: 0x88a8) }
    /// The service tag of equipment older than 802.1ad.
    @inlinable public static var oldServiceVLAN: EtherType { EtherType(rawValue: 0x9100) }
}

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
