import SondeTestKit
import Testing

/// The builder's files as another program reads them.
@Suite(.enabled(if: Tshark.isInstalled, "tshark is not installed"))
struct CaptureFileBuilderTests {
    private static let time: UInt64 = 1_700_000_000_500_000_123
    private static let fields = ["frame.time_epoch", "frame.len", "frame.cap_len"]

    @Test(
        arguments: EndianWriter.Order.allCases,
        [
            (.pcap, 6, "1700000000.500000000"), (.pcap, 9, "1700000000.500000123"),
            (.pcapng, 6, "1700000000.500000000"),
            (.pcapng, 9, "1700000000.500000123"), (.pcapng, 3, "1700000000.500000000"),
            (.pcapng, 0, "1700000000.000000000"),
            (.pcapng, 0x80 + 10, "1700000000.500000000"), (.pcapng, 0x80 + 30, "1700000000.500000122"),
        ] as [(CaptureFileBuilder.Format, UInt8, String)])
    func timesAndLengthsAreThoseThatWereGiven(
        _ order: EndianWriter.Order, _ kind: (CaptureFileBuilder.Format, UInt8, String)
    ) async throws {
        let interface = CaptureInterface(linkType: 1, snapLength: 40, resolution: kind.1)
        var file = CaptureFileBuilder(kind.0, order: order, interfaces: [interface])
        file.frames = [CapturedFrame([UInt8](repeating: 1, count: 61), time: Self.time)]
        #expect(try await Tshark.rows(of: file.bytes, fields: Self.fields) == [[kind.2, "61", "40"]])
    }

    @Test func sectionsInterfacesAndBlocksMayBeMixed() async throws {
        var first = CaptureFileBuilder(
            .pcapng, order: .big, interfaces: [CaptureInterface(), CaptureInterface(linkType: 101)])
        first.add(PacketBuilder([IPv4Layer(), TCPLayer()]).bytes, interface: 1)
        first.add(PacketBuilder([EthernetLayer(), IPv4Layer(), UDPLayer()]).bytes)
        first.frames[1].block = .simple
        var second = CaptureFileBuilder(.pcapng, order: .little, interfaces: [CaptureInterface(linkType: 276)])
        second.add(PacketBuilder([LinuxCookedLayer(.two), ARPLayer()]).bytes)
        second.frames[0].block = .obsolete
        let rows = try await Tshark.rows(
            of: first.bytes + second.bytes, fields: ["frame.protocols", "tcp.dstport", "udp.dstport", "arp.opcode"]
        )
        #expect(rows.map { Array($0.dropFirst()) } == [["80", "", ""], ["", "9999", ""], ["", "", "1"]])
    }

    @Test func checksumsAreRight() async throws {
        let packets: [[any PacketLayer]] = [
            [IPv4Layer(), TCPLayer()], [IPv4Layer(), UDPLayer()], [IPv6Layer(), TCPLayer()], [IPv6Layer(), UDPLayer()],
            [IPv4Layer(), ICMPLayer(.ipv4)], [IPv6Layer(), ICMPLayer(.ipv6)],
        ]
        var file = CaptureFileBuilder(.pcap, interfaces: [CaptureInterface(linkType: 101)])
        for layers in packets { file.add(PacketBuilder(layers, payload: [1, 2, 3]).bytes) }
        let fields = ["ip", "tcp", "udp", "icmp", "icmpv6"].map { "\($0).checksum.status" }
        let rows = try await Tshark.rows(
            of: file.bytes, fields: fields,
            preferences: ["ip.check_checksum", "tcp.check_checksum", "udp.check_checksum"].map { "\($0):TRUE" }
        )
        // 1 is good.
        #expect(rows.map { $0.filter { !$0.isEmpty } } == [["1", "1"], ["1", "1"], ["1"], ["1"], ["1", "1"], ["1"]])
    }
}
