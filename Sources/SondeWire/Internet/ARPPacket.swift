/// The fixed part of an ARP packet.
///
/// Source: RFC 826.
public struct ARPPacket: Equatable, Sendable {
    /// How long the part is that all ARP packets share, in bytes.
    public static let minimumLength = 8

    /// The kind of hardware; 1 is Ethernet.
    public let hardwareType: UInt16
    /// The protocol whose addresses are resolved, numbered like an Ethernet type.
    public let protocolType: EtherType
    /// How long a hardware address is, in bytes.
    public let hardwareLength: UInt8
    /// How long a protocol address is, in bytes.
    public let protocolLength: UInt8
    /// 1 asks, 2 answers.
    public let operation: UInt16

    /// How long the packet is with its four addresses, in bytes.
    public var length: Int { Self.minimumLength &+ 2 &* (Int(hardwareLength) &+ Int(protocolLength)) }

    /// The packet at `offset`, or nil when the bytes end inside of its fixed part.
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.minimumLength, at: offset) else { return nil }
        hardwareType = bytes.unchecked16(offset)
        protocolType = EtherType(rawValue: bytes.unchecked16(offset &+ 2))
        hardwareLength = bytes.unchecked8(offset &+ 4)
        protocolLength = bytes.unchecked8(offset &+ 5)
        operation = bytes.unchecked16(offset &+ 6)
    }
}
