import SondeTestKit

/// Headers of one kind each, put before frames as they are.
extension InspectFixture {
    static let wrapped: [InspectFixture] = [
        InspectFixture("VN-Tag", packets.map { macs + [0x89, 0x26, 0x80, 0x01, 0, 2, 0x08, 0] + $0 }),
        InspectFixture(
            "VN-Tag before VLAN", packets.map { macs + [0x89, 0x26, 0, 1, 0, 2, 0x81, 0, 0, 9, 0x08, 0] + $0 }),
        InspectFixture("backbone", packets.map { macs + [0x88, 0xe7, 0, 0, 0, 7] + macs + [0x08, 0] + $0 }),
        InspectFixture("netfilter's log", linkType: 239, packets.map { nflog($0) }),
        InspectFixture(
            "InfiniBand", linkType: 242, packets.map { [UInt8](repeating: 0, count: 40) + [0x08, 0, 0, 0] + $0 }),
        InspectFixture("wireless", linkType: 105, packets.map { wireless([0x08, 0x02]) + $0 }),
        InspectFixture(
            "wireless with quality", linkType: 105, packets.map { wireless([0x88, 0x01], behind: [0, 0]) + $0 }),
        InspectFixture(
            "wireless between stations", linkType: 105, packets.map { wireless([0x08, 0x03], count: 30) + $0 }),
        InspectFixture("wireless without content", linkType: 105, packets.map { wireless([0x48, 0x01]) + $0 }),
        InspectFixture(
            "radiotap", linkType: 127, packets.map { [0, 0, 8, 0, 0, 0, 0, 0] + wireless([0x08, 0x01]) + $0 }),
        InspectFixture(
            "radiotap with check sequence", linkType: 127,
            // Time, flags: a check sequence behind the frame.
            packets.map {
                tap([3, 0, 0, 0], [UInt8](repeating: 0, count: 8) + [0x10]) + wireless([0x08, 0x01]) + $0 + [
                    1, 2, 3, 4,
                ]
            }),
        InspectFixture(
            "radiotap with padding", linkType: 127,
            packets.map { tap([2, 0, 0, 0], [0x20]) + wireless([0x88, 0x01], behind: [0, 0, 0, 0]) + $0 }),
    ]

    /// Packets of IPv4 without anything before them.
    private static let packets = Exchange.frames([])
    private static let macs: [UInt8] = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]

    /// A header with its control bytes, then 802.2 that announces IPv4.
    private static func wireless(_ control: [UInt8], count: Int = 24, behind: [UInt8] = []) -> [UInt8] {
        let addresses = macs + [2, 0, 0, 0, 0, 3, 0, 0] + (count == 30 ? [2, 0, 0, 0, 0, 4] : [])
        return control + [0, 0] + addresses + behind + [0xaa, 0xaa, 3, 0, 0, 0, 0x08, 0]
    }

    private static func tap(_ present: [UInt8], _ fields: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(8 + fields.count), 0] + present + fields
    }

    /// A prefix of four bytes and the packet, with their lengths and types.
    private static func nflog(_ packet: [UInt8]) -> [UInt8] {
        let size = UInt16(packet.count + 4)
        return [2, 0, 0, 0, 8, 0, 1, 0, 0x08, 0, 1, 0] + [UInt8(size & 255), UInt8(size >> 8), 9, 0] + packet
    }
}
