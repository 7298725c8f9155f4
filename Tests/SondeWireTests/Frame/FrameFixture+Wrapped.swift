import SondeTestKit
import SondeWire

/// Frames behind headers of one kind each, which are put before them as they are.
extension FrameFixture {
    static let wrapped: [FrameFixture] = [
        FrameFixture("VN-Tag", bytes: macs + [0x89, 0x26, 0x80, 1, 0, 2, 0x08, 0] + packet),
        FrameFixture("VN-Tag before VLAN", bytes: macs + [0x89, 0x26, 0, 1, 0, 2, 0x81, 0, 0, 9, 0x08, 0] + packet),
        FrameFixture("backbone", bytes: macs + [0x88, 0xe7, 0, 0, 0, 7] + macs + [0x08, 0] + packet),
        FrameFixture("long 802.2", bytes: macs + [0x88, 0x70] + content),
        FrameFixture("numbered 802.2", bytes: length(4) + [6, 6, 0, 0] + packet),
        FrameFixture("numbered SNAP", bytes: length(9) + [0xaa, 0xaa, 0, 0, 0, 0, 0, 8, 0] + packet),
        FrameFixture("SNAP within VLAN", bytes: macs + [0x81, 0, 0, 5, 0, UInt8(content.count)] + content),
        FrameFixture("netfilter's log", on: .nflog, bytes: [2, 0, 0, 0, 8, 0, 1, 0, 8, 0, 1, 0] + packetAttribute),
        FrameFixture("InfiniBand", on: .infiniBand, bytes: zeros(40) + [0x08, 0, 0, 0] + packet),
        FrameFixture("wireless", on: .wireless, bytes: [0x08, 2, 0, 0] + macs + third + content),
        FrameFixture(
            "wireless with quality", on: .wireless, bytes: [0x88, 1, 0, 0] + macs + third + [0, 0] + content),
        FrameFixture("wireless bridge", on: .wireless, bytes: [0x08, 3, 0, 0] + macs + third + zeros(6) + content),
        FrameFixture(
            "radiotap", on: .radiotap,
            bytes: [0, 0, 17, 0, 3, 0, 0, 0] + zeros(8) + [0x10, 0x08, 1, 0, 0] + macs + third + content + zeros(4)),
        FrameFixture(
            "several interfaces", on: .pktap,
            bytes: [108, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] + zeros(96) + macs + [0x08, 0] + packet),
    ]

    private static let packet = PacketBuilder([IPv4Layer(), TCPLayer()], payload: [1, 2, 3]).bytes
    private static let macs: [UInt8] = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]
    /// A third address, and a number.
    private static let third: [UInt8] = [2, 0, 0, 0, 0, 3, 0, 0]
    /// 802.2 that announces IPv4, and the packet.
    private static let content = [0xaa, 0xaa, 3, 0, 0, 0, 8, 0] + packet
    private static let packetAttribute = [UInt8(packet.count + 4), 0, 9, 0] + packet

    /// Addresses, and how many bytes follow: a header of so many, and the packet.
    private static func length(_ header: Int) -> [UInt8] { macs + [0, UInt8(header + packet.count)] }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
