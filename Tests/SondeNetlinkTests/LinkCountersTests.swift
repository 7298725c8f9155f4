import Testing

@testable import SondeNetlink

@Suite struct LinkCountersTests {
    private func counters(_ values: UInt64...) -> LinkCounters {
        values.withUnsafeBytes { LinkCounters($0) }
    }

    @Test func aFieldThatOneDoesNotKnowIsNotKnownOfTheSum() {
        var sum = LinkCounters()
        sum.add(counters(1, 2, 3))
        sum.add(counters(10, 20))
        #expect(sum == counters(11, 22))
        #expect(sum[.receivedBytes] == nil)
        sum.add(counters(100, 200, 300))
        #expect(sum == counters(111, 222), "it stays unknown: what was missed is in no later reading")
    }

    @Test func aStepIsKnownOfWhatBothReadingsHave() {
        let step = counters(5, 7, 9).step(since: counters(1, 2))
        #expect(step == counters(4, 5))
        #expect(counters(5, 7).step(since: counters(1, 2, 3)) == counters(4, 5))
    }
}
