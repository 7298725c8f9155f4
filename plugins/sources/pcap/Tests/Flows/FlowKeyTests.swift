import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct FlowKeyTests {
    typealias End = TrafficUnderTest.End

    @Test func bothDirectionsHaveOneKey() {
        let (there, from) = FlowKey.of(.between(End(1, 2000), End(9, 80), .tcp))
        let (back, other) = FlowKey.of(.between(End(9, 80), End(1, 2000), .tcp))
        #expect(there == back)
        #expect(from == .low && other == .high)
        #expect(there.address(.high) == End(9, 80).address && there.port(.high) == 80 && there.port(.low) == 2000)
    }

    @Test func portsOrderTheEndsOfOneAddress() {
        let (there, from) = FlowKey.of(.between(End(1, 9), End(1, 3), .udp))
        let (back, other) = FlowKey.of(.between(End(1, 3), End(1, 9), .udp))
        #expect(there == back && from == .high && other == .low)
    }

    @Test func theKeyHasFiveWords() {
        #expect(MemoryLayout<FlowKey>.size == FlowRanking.conversationKeyLength)
        #expect(MemoryLayout<FlowEntry>.stride == 160)
    }

    @Test func everyPartOfTheKeyTellsFlowsApart() {
        let frame = DecodedFrame.between(End(1, 2000), End(9, 80), .tcp)
        var others: [DecodedFrame] = (0..<6).map { _ in frame }
        others[0].sourcePort = 2001
        others[1].destination = End(8, 0).address
        others[2].transport = .udp
        others[3].vlanID = 0
        others[4].network = .ipv6
        others[5].hasPorts = false
        for other in others { #expect(FlowKey.of(other).key != FlowKey.of(frame).key) }
    }

    @Test func aLaterFragmentHasNoPortsAndNoTransport() {
        var frame = DecodedFrame.between(End(1, 0), End(9, 0), .tcp)
        frame.hasPorts = false
        frame.fragment = .later
        let key = FlowKey.of(frame).key
        #expect(key.kind == .fragment && FlowTransport(key) == .fragment)
    }

    @Test func theHashLeavesOutTheVLANAndDependsOnTheSeed() {
        var tagged = DecodedFrame.between(End(1, 2000), End(9, 80), .tcp)
        let plain = FlowKey.of(tagged).key
        tagged.vlanID = 7
        let key = FlowKey.of(tagged).key
        var generator = SeededGenerator(seed: 1)
        let hash = FlowHash(using: &generator)
        #expect(hash.of(plain) == hash.of(key))
        #expect(key.vlan == 7 && plain.vlan == nil && key.conversation == plain.conversation)
        #expect(FlowHash(using: &generator).of(key) != hash.of(key))
    }

    @Test func neighbouringFlowsAreSpreadOverTheTable() {
        var generator = SeededGenerator(seed: 2)
        let hash = FlowHash(using: &generator)
        var places = Set<UInt64>()
        for port in 0..<4096 {
            let key = FlowKey.of(.between(End(1, UInt16(port)), End(9, 80), .tcp)).key
            places.insert(hash.of(key) >> 32 & 4095)
        }
        // 4,096 balls in as many bins take 63 % of these when they fall at random.
        #expect(places.count > 2400)
    }
}
