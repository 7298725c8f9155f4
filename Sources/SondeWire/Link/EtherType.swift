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
