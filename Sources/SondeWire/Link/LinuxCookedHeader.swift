/// The header that Linux puts in place of the link layer's own in a capture on all interfaces.
///
/// Source: LINKTYPE_LINUX_SLL and LINKTYPE_LINUX_SLL2 on tcpdump.org; types of frames in linux/if_packet.h, of devices
/// in linux/if_arp.h.
public struct LinuxCookedHeader: Equatable, Sendable {
    /// How long the header of version 1 is, in bytes.
    public static let length = 16
    /// How long the header of version 2 is, in bytes.
    public static let length2 = 20

    private static let netlinkDevice: UInt16 = 824
    private static let lowestEtherType: UInt16 = 0x0600

    /// Where the frame came from or went to.
    public let packetType: UInt16
    /// The kind of device, ARPHRD_ as Linux numbers them.
    public let deviceType: UInt16
    /// What follows: an Ethernet type, or a number of the kind of device.
    public let protocolNumber: UInt16
    /// The index of the interface; 0 in version 1, which lacks it.
    public let interfaceIndex: UInt32

    /// The header of version 1 at `offset`, or nil when the bytes end inside of it.
    public init?(version1 bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        packetType = bytes.unchecked16(offset)
        deviceType = bytes.unchecked16(offset &+ 2)
        protocolNumber = bytes.unchecked16(offset &+ 14)
        interfaceIndex = 0
    }

    /// The header of version 2 at `offset`, or nil when the bytes end inside of it.
    public init?(version2 bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length2, at: offset) else { return nil }
        protocolNumber = bytes.unchecked16(offset)
        interfaceIndex = bytes.unchecked32(offset &+ 4)
        deviceType = bytes.unchecked16(offset &+ 8)
        packetType = UInt16(bytes.unchecked8(offset &+ 10))
    }

    /// What follows the header.
    public enum Content: Equatable, Sendable {
        case etherType(EtherType)
        /// An 802.2 header (LINUX_SLL_P_802_2).
        case logicalLinkControl
        /// Something that has no Ethernet type.
        case other
    }

    /// What follows the header.
    public var content: Content {
        if deviceType == Self.netlinkDevice { return .other }
        if protocolNumber >= Self.lowestEtherType { return .etherType(EtherType(rawValue: protocolNumber)) }
        return protocolNumber == 4 ? .logicalLinkControl : .other
    }
}
