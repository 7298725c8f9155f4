import SondeDomain
import SondeEngine
import Testing

@Suite struct HostSplayTests {
    private let span = Nanoseconds.seconds(30)

    @Test func aHostKeepsItsSplay() {
        let first = HostSplay.delay(agent: "a", component: "central", within: span)
        #expect(HostSplay.delay(agent: "a", component: "central", within: span) == first)
        #expect(first == Nanoseconds(18_531_630_783))
    }

    @Test func hostsSpreadEvenlyOverTheSpan() {
        var slots = [Int](repeating: 0, count: 10)
        for host in 0..<10_000 {
            let delay = HostSplay.delay(agent: "host-\(host)", component: "central", within: span)
            #expect(delay >= .zero && delay < span)
            slots[Int(delay.value / 3_000_000_000)] += 1
        }
        #expect(slots.allSatisfy { (850...1_150).contains($0) })
    }

    @Test func hostsThatStartTogetherCollectAtPhasesOfTheirOwn() {
        var slots = [Int](repeating: 0, count: 10)
        for host in 0..<10_000 {
            let phase = HostSplay.collectionPhase(agent: "host-\(host)", interval: .seconds(10))
            #expect(phase >= .seconds(5) && phase < .seconds(15))
            slots[Int(phase.value / 1_000_000_000) % 10] += 1
        }
        #expect(slots.allSatisfy { (850...1_150).contains($0) })
    }

    @Test func noSpanIsNoSplay() {
        #expect(HostSplay.delay(agent: "a", component: "b", within: .zero) == .zero)
    }
}
