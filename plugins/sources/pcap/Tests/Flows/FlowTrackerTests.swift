import SondeDomain
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct FlowTrackerTests {
    typealias End = TrafficUnderTest.End

    @Test func bothDirectionsAreOneFlow() {
        let traffic = TrafficUnderTest()
        traffic.datagram(length: 100)
        traffic.datagram(TrafficUnderTest.server, TrafficUnderTest.client, length: 300)
        #expect(traffic.totals.started == 1 && traffic.totals.active == 1)
        #expect(traffic.counted == PacketCount(packets: 2, bytes: 400))
        #expect(traffic.totals.conversations(.udp) == 1)
    }

    @Test func whatIsNotIPBelongsToNoFlow() {
        let traffic = TrafficUnderTest()
        var frame = DecodedFrame()
        frame.network = .arp
        traffic.tracker.process(frame, length: 60, at: traffic.time)
        #expect(traffic.totals.withoutFlow == PacketCount(packets: 1, bytes: 60))
        #expect(traffic.totals.started == 0)
    }

    @Test func aConversationOnTwoVLANsIsTwoFlowsAndOneConversation() {
        let traffic = TrafficUnderTest()
        traffic.datagram()
        traffic.datagram(vlan: 1)
        traffic.datagram(vlan: 2)
        #expect(traffic.totals.started == 3)
        #expect(traffic.totals.conversations(.udp) == 1)
    }

    @Test func fragmentsCountUnderNoTransport() {
        let traffic = TrafficUnderTest()
        var frame = DecodedFrame.between(TrafficUnderTest.client, TrafficUnderTest.server, .udp)
        frame.hasPorts = false
        frame.hasTransportHeader = false
        frame.fragment = .later
        traffic.tracker.process(frame, length: 700, at: traffic.time)
        #expect(traffic.totals.places.map(\.transport) == [.fragment])
        #expect(FlowTransport.allCases.allSatisfy { traffic.totals.conversations($0) == 0 })
    }

    @Test func anIdleFlowEndsAfterItsTimeout() {
        let traffic = TrafficUnderTest()
        traffic.datagram()
        traffic.wait(.seconds(59))
        traffic.tracker.sweep(at: traffic.time)
        #expect(traffic.totals.active == 1)
        traffic.wait(.seconds(1))
        traffic.tracker.sweep(at: traffic.time)
        #expect(traffic.totals.active == 0 && traffic.totals.ended(.idle) == 1)
    }

    @Test func packetsKeepAFlowFromEnding() {
        let traffic = TrafficUnderTest()
        for _ in 0..<20 {
            traffic.datagram()
            traffic.wait(.seconds(40))
        }
        #expect(traffic.totals.started == 1 && traffic.totals.active == 1)
    }

    @Test func anOpenConnectionWaitsLonger() {
        let traffic = TrafficUnderTest()
        traffic.handshake()
        traffic.wait(.seconds(299))
        traffic.tracker.sweep(at: traffic.time)
        #expect(traffic.totals.active == 1)
        traffic.wait(.seconds(2))
        traffic.tracker.sweep(at: traffic.time)
        #expect(traffic.totals.ended(.idle) == 1)
    }

    @Test func aFinishedConnectionEndsSoonAndItsLastAcknowledgementBelongsToIt() {
        let traffic = TrafficUnderTest()
        traffic.handshake()
        let (client, server) = (TrafficUnderTest.client, TrafficUnderTest.server)
        traffic.segment([.fin, .ack], sequence: 1001, acknowledgement: 5001)
        traffic.segment([.fin, .ack], from: server, to: client, sequence: 5001, acknowledgement: 1002)
        traffic.segment(.ack, sequence: 1002, acknowledgement: 5002)
        #expect(traffic.totals.started == 1 && traffic.totals.active == 1)
        traffic.wait(.seconds(6))
        traffic.tracker.sweep(at: traffic.time)
        #expect(traffic.totals.ended(.finished) == 1 && traffic.totals.active == 0)
    }

    @Test func aResetConnectionEndsSoon() {
        let traffic = TrafficUnderTest()
        traffic.segment(.syn, sequence: 1000)
        traffic.segment(
            [.rst, .ack], from: TrafficUnderTest.server, to: TrafficUnderTest.client, acknowledgement: 1001)
        traffic.wait(.seconds(6))
        traffic.tracker.sweep(at: traffic.time)
        #expect(traffic.totals.ended(.reset) == 1)
    }

    @Test func portsThatAreUsedAgainBeginAnotherFlow() {
        let traffic = TrafficUnderTest()
        traffic.handshake()
        traffic.segment(.syn, sequence: 77_000)
        #expect(traffic.totals.started == 2 && traffic.totals.ended(.reused) == 1 && traffic.totals.active == 1)
        #expect(traffic.totals.conversations(.tcp) == 1)
    }

    @Test func aLongFlowIsCountedAndGoesOn() {
        var settings = FlowSettings()
        settings.activeTimeout = .seconds(100)
        let traffic = TrafficUnderTest(settings)
        for _ in 0..<21 {
            traffic.datagram(length: 50)
            traffic.wait(.seconds(10))
        }
        #expect(traffic.totals.ended(.active) == 2)
        #expect(traffic.totals.active == 1)
        #expect(traffic.totals.sizes?.sum == 1000)
        #expect(traffic.counted == PacketCount(packets: 21, bytes: 1050))
    }

    @Test func aFullTableGivesUpTheFlowThatWasSeenLeastRecently() {
        var settings = FlowSettings()
        settings.bytes = 20_000
        let traffic = TrafficUnderTest(settings)
        let room = traffic.room
        for number in 0..<room {
            traffic.datagram(End(UInt32(100 + number), 1), TrafficUnderTest.server)
            traffic.wait(.milliseconds(10))
        }
        traffic.wait(.seconds(2))
        // The oldest one is seen again, so the second goes.
        traffic.datagram(End(100, 1), TrafficUnderTest.server)
        traffic.datagram(End(7, 7), TrafficUnderTest.server)
        #expect(traffic.totals.ended(.evicted) == 1 && traffic.totals.active == UInt64(room))
        traffic.datagram(End(100, 1), TrafficUnderTest.server)
        #expect(traffic.totals.ended(.evicted) == 1)
        traffic.datagram(End(101, 1), TrafficUnderTest.server)
        #expect(traffic.totals.ended(.evicted) == 2)
    }

    @Test func flowsOfAFileNeverEndByTheirTime() {
        let traffic = TrafficUnderTest(.file(bytes: 1 << 20))
        traffic.datagram()
        traffic.wait(.seconds(3000))
        traffic.datagram(End(3, 3), End(4, 4))
        #expect(traffic.totals.active == 2)
    }

    @Test func manyFlowsThatEndAtOnceAreEndedInSteps() {
        let traffic = TrafficUnderTest()
        for number in 0..<1000 { traffic.datagram(End(UInt32(100 + number), 1), TrafficUnderTest.server) }
        traffic.wait(.seconds(61))
        traffic.tracker.sweep(at: traffic.time)
        #expect(traffic.totals.ended(.idle) == 64)
        for _ in 0..<20 { traffic.datagram(End(9, 9), TrafficUnderTest.server) }
        #expect(traffic.totals.ended(.idle) == 1000)
    }

    @Test func aClockThatIsSetBackKeepsNoFlowForever() {
        let traffic = TrafficUnderTest()
        traffic.datagram()
        traffic.wait(.seconds(-86_400))
        traffic.datagram(End(3, 3), End(4, 4))
        traffic.wait(.milliseconds(60))
        traffic.datagram(End(3, 3), End(4, 4))
        #expect(traffic.totals.ended(.idle) == 1 && traffic.totals.active == 1)
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
    func anyTimeIsTaken(_ stamp: Int64) {
        let traffic = TrafficUnderTest()
        for time in [traffic.time, stamp, traffic.time, stamp, 0, stamp] {
            traffic.time = time
            traffic.datagram(length: 10)
            traffic.segment([.syn], sequence: 1)
            traffic.segment(
                [.syn, .ack], from: TrafficUnderTest.server, to: TrafficUnderTest.client, acknowledgement: 2)
            traffic.segment([.ack], sequence: 2, acknowledgement: 1, length: 5)
        }
        #expect(traffic.counted.packets == 24)
        #expect(traffic.totals.active == UInt64(traffic.held))
    }
}
