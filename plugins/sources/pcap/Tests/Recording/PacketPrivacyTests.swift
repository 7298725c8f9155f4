import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct PacketPrivacyTests {
    private static let ethernet: UInt32 = 1
    private let client: [UInt8] = [198, 51, 100, 7]
    private let server: [UInt8] = [203, 0, 113, 53]

    private func replaced(_ packet: [UInt8], linkType: UInt32 = ethernet) throws -> [UInt8] {
        let privacy = PacketPrivacy(try #require(Pseudonyms(secret: Array(0..<16))), ports: [53])
        return packet.withUnsafeBytes { privacy.replacing($0, linkType: linkType) }
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard bytes.count >= part.count else { return false }
        return (0...(bytes.count - part.count)).contains { Array(bytes[$0..<($0 + part.count)]) == part }
    }

    @Test func ofDNSThereIsTheShapeOfTheNames() throws {
        let message = DNSMessageBuilder(id: 5, flags: 0x8180).asking("www.secret.example", type: 1)
            .answering(type: 1, data: [203, 0, 113, 99]).bytes
        let packet = PacketBuilder(
            [EthernetLayer(), IPv4Layer(client, server), UDPLayer(53, 40_000)], payload: message
        ).bytes
        let kept = try replaced(packet)
        #expect(kept.count == packet.count)
        for gone in [client, server, Array("secret".utf8), Array("www".utf8), [203, 0, 113, 99]] {
            #expect(contains(packet, gone) && !contains(kept, gone))
        }
        #expect(kept[..<12].allSatisfy { $0 == 0 })
        // 3www6secret7example0: the lengths, and the type and class behind them.
        #expect([54, 58, 65, 73].map { kept[$0] } == [3, 6, 7, 0])
        #expect(Array(kept[74..<78]) == [0, 1, 0, 1])
    }

    @Test func ofOtherPacketsThereAreHeaders() throws {
        let secret = Array("password".utf8)
        let tcp = PacketBuilder([EthernetLayer(), IPv4Layer(client, server), TCPLayer(40_000, 80)], payload: secret)
            .bytes
        #expect(try replaced(tcp).count == 54)
        let udp = PacketBuilder([EthernetLayer(), IPv6Layer(), UDPLayer(40_000, 443)], payload: secret).bytes
        #expect(try replaced(udp).count == 62)
        #expect(try !contains(replaced(udp), IPv6Layer.address(1)))
        let arp = PacketBuilder([EthernetLayer(), ARPLayer()]).bytes
        #expect(try replaced(arp).count == 14)
        #expect(try replaced(tcp, linkType: 147).isEmpty)
    }

    @Test func noBytesEndTheProcess() throws {
        let privacy = PacketPrivacy(try #require(Pseudonyms(secret: Array(0..<16))), ports: [53])
        var random = SeededGenerator(seed: 115)
        let message = DNSMessageBuilder().asking("www.secret.example").bytes
        let packets = [
            PacketBuilder([EthernetLayer(), IPv4Layer(client, server), UDPLayer(53, 40_000)], payload: message).bytes,
            PacketBuilder([EthernetLayer(), IPv6Layer(), UDPLayer(53, 40_000)], payload: message).bytes,
            [UInt8](repeating: 0x45, count: 90),
        ]
        for round in 0..<6_000 {
            var packet = packets[round % packets.count]
            packet.removeLast(Int.random(in: 0...packet.count, using: &random))
            for _ in 0..<4 where !packet.isEmpty {
                packet[Int.random(in: packet.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            for type: UInt32 in [1, 101, 113, 228, 229, 276, 0] {
                let kept = packet.withUnsafeBytes { privacy.replacing($0, linkType: type) }
                #expect(kept.count <= packet.count)
            }
        }
    }
}
