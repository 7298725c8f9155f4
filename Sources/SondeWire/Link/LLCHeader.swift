/// An 802.2 logical link control header, with its SNAP extension where there is one.
///
/// Source: IEEE 802.2 clause 5, RFC 1042.
public struct LLCHeader: Equatable, Sendable {
    /// How long the header is, in bytes.
    public let length: Int
    /// The type that a SNAP header names, or that the service access point means; nil when there is none.
    public let etherType: EtherType?

    /// The header at `offset`, or nil when the bytes end inside of it.
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(3, at: offset) else { return nil }
        let accessPoints = bytes.unchecked16(offset)
        let control = bytes.unchecked8(offset &+ 2)
        let plain = control & 3 == 3 ? 3 : 4
        // Information, numbered or not: nothing else carries a packet.
        let isInformation = control & 1 == 0 || control == 3
        guard accessPoints == 0xaaaa, isInformation else {
            guard bytes.has(plain, at: offset) else { return nil }
            length = plain
            etherType = accessPoints == 0x0606 && isInformation ? .ipv4 : nil
            return
        }
        guard bytes.has(plain &+ 5, at: offset) else { return nil }
        length = plain &+ 5
        // 00-00-F8 is used in its place by bridges between unlike media (IEEE 802.1H).
        let organization = bytes.unchecked32(offset &+ plain &- 1) & 0x00ff_ffff
        let namesType = organization == 0 || organization == 0x00_00f8
        etherType = namesType ? EtherType(rawValue: bytes.unchecked16(offset &+ plain &+ 3)) : nil
    }
}
