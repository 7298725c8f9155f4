import SondeDomain
import SondePluginKit
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct FlowRankingTests {
    typealias End = TrafficUnderTest.End

    @Test func aFlowIsRankedByWhatCameSinceTheLastTime() {
        let traffic = TrafficUnderTest()
        traffic.datagram(length: 100)
        #expect(traffic.top(.peers)?.total == 0)
        _ = traffic.tracker.rank()
        _ = traffic.tracker.rank()
        traffic.datagram(length: 40)
        _ = traffic.tracker.rank()
        #expect(traffic.top(.peers)?.total == 140)
    }

    @Test func rankingInStretchesRanksEveryFlowOnce() {
        let traffic = TrafficUnderTest()
        for number in 0..<100 { traffic.datagram(End(UInt32(number + 10), 9), TrafficUnderTest.server, length: 10) }
        var next: Int? = 0
        var stretches = 0
        while let slot = next {
            next = traffic.tracker.rank(from: slot, limit: 30)
            stretches += 1
        }
        #expect(stretches == 4)
        #expect(traffic.top(.conversations)?.total == 1000)
        #expect(traffic.top(.conversations, 200)?.entries.count == 100)
    }

    @Test func thePeerIsTheEndThatIsNotOurs() throws {
        let own = End(1, 443)
        let peer = End(9, 50_000)
        let traffic = TrafficUnderTest(host: [own.address])
        traffic.datagram(peer, own, length: 70)
        _ = traffic.tracker.rank()
        let key = try #require(traffic.top(.peers, 1)?.entries.first?.key)
        #expect(key == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 9])
        #expect(traffic.top(.services, 1)?.entries.first?.key == [17, 1, 0xbb])
    }

    @Test func thePeerOfWhatComesForAGroupIsTheSender() throws {
        for number in [0xe000_00fb, UInt32.max] {
            var group = End(0, 5_000)
            group.address = IPAddress(ipv4: number)
            let traffic = TrafficUnderTest(host: [End(1, 443).address])
            traffic.datagram(End(9, 50_000), group, length: 70)
            _ = traffic.tracker.rank()
            let key = try #require(traffic.top(.peers, 1)?.entries.first?.key)
            #expect(key.suffix(4) == [10, 0, 0, 9])
        }
    }

    @Test func moreFlowsThanAreKeptLeaveTheSumTrue() throws {
        var settings = FlowSettings()
        settings.rankingCapacity = 8
        let traffic = TrafficUnderTest(settings)
        for number in 0..<500 {
            traffic.datagram(End(UInt32(number + 10), 9), TrafficUnderTest.server, length: 10)
            traffic.datagram(End(5, 9), TrafficUnderTest.server, length: 1000)
        }
        _ = traffic.tracker.rank()
        let top = try #require(traffic.top(.conversations, 3))
        #expect(top.total == 505_000)
        #expect(top.entries.reduce(top.other) { $0 + $1.count } == top.total)
        let first = try #require(top.entries.first)
        #expect(first.count >= 500_000)
    }
}
