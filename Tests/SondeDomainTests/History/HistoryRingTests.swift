import SondeDomain
import Testing

@Suite struct HistoryRingTests {
    @Test func aRangeLiesInTheChunksOfItsFirstAndLastStepAndAllBetween() {
        #expect(HistoryRing.chunks(of: 39..<41) == 1..<3)
        #expect(HistoryRing.chunks(of: 40..<60) == 2..<3)
        #expect(HistoryRing.chunks(of: -5..<1) == 0..<1)
    }

    @Test func anEmptyRangeAndOneBefore1970LieNowhere() {
        for steps in [5..<5, Int64.min..<0, -3..<(-1)] {
            #expect(HistoryRing.chunks(of: steps).isEmpty)
            #expect(HistoryRing.places(of: steps, in: .hour).isEmpty)
        }
    }

    @Test(arguments: HistoryTier.allCases)
    func aWindowNeverNeedsAPlaceTwice(tier: HistoryTier) {
        for first in (0..<100).map({ Int64($0) * 7_919 }) {
            let places = HistoryRing.places(of: first..<(first + tier.stepCount), in: tier)
            #expect(Set(places).count == places.count)
            #expect(places.allSatisfy { (0..<HistoryRing.chunkCount(of: tier)).contains($0) })
        }
    }

    @Test(arguments: HistoryTier.allCases)
    func aRangeLongerThanTheRingHasEveryPlaceOnce(tier: HistoryTier) {
        let places = HistoryRing.places(of: 1_000..<(1_000 + 30 * tier.stepCount), in: tier)
        #expect(Set(places).count == places.count)
        #expect(Int64(places.count) == HistoryRing.chunkCount(of: tier))
    }
}
