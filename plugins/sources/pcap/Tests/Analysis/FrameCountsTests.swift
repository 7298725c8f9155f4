import SondeDomain
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct FrameCountsTests {
    private func counts(_ frames: [(linkType: UInt32, bytes: [UInt8], wireLength: UInt32)]) -> FrameCounts {
        var analysis = TrafficAnalysis(flows: nil, dns: nil)
        for frame in frames {
            frame.bytes.withUnsafeBytes { bytes in
                analysis.process(
                    CapturedPacket(
                        bytes: WireBytes(bytes),
                        wireLength: frame.wireLength,
                        linkType: frame.linkType,
                        interface: 0,
                        time: 0
                    )
                )
            }
        }
        return analysis.frames
    }

    @Test func aFrameOfAnUnknownLinkTypeIsCountedAsThat() {
        let frame = Frame.udp()
        let length = UInt32(frame.count)
        let counts = counts([(147, frame, length), (147, [], 60), (1, frame, length)])
        #expect(counts.unknownLink == 2)
        #expect(counts.other.packets == 2)
        #expect(counts.malformed == 0 && counts.truncated == 0)
    }

    @Test func aBrokenOrCutLinkHeaderIsNoUnknownLinkType() {
        let counts = counts([(1, [1, 2, 3], 3), (1, [1, 2, 3], 60)])
        #expect(counts.unknownLink == 0)
        #expect(counts.malformed == 1 && counts.truncated == 1)
    }

    @Test(arguments: [0, 5] as [UInt16])
    func anAnswerWithoutTheQuerysTagIsItsAnswer(_ vlan: UInt16) throws {
        let query = DNSMessageBuilder(id: 7).asking("a.example")
        let answer = DNSMessageBuilder(id: 7, flags: 0x8180).asking("a.example")
        let traffic = try Traffic([:])
        traffic.see(
            PacketBuilder([EthernetLayer(), VLANLayer(vlan), IPv4Layer(), UDPLayer(40_000, 53)], payload: query.bytes)
                .bytes)
        var back = IPv4Layer()
        swap(&back.source, &back.destination)
        traffic.see(PacketBuilder([EthernetLayer(), back, UDPLayer(53, 40_000)], payload: answer.bytes).bytes)
        #expect(traffic.samples().sum("sonde.dns.wire.query.answered") == 1)
    }

    @Test func framesAreCountedByTransportWithoutFlows() throws {
        let traffic = try Traffic(["flows": .bool(false)])
        traffic.see(Frame.udp())
        traffic.see(Frame.udp())
        traffic.see(Frame.tcp(2, sequence: 1))
        let samples = traffic.samples()
        #expect(samples["sonde.frame.transport.count{network.transport=udp}"] == .unsigned(2))
        #expect(samples["sonde.frame.transport.count{network.transport=tcp}"] == .unsigned(1))
        #expect(samples.series("sonde.frame.transport.count").count == 2)
    }
}
