import SondeDomain
import Testing

@Suite struct HistoryTierTests {
    @Test(arguments: HistoryTier.allCases)
    func aWindowHasNoMoreThanAThousandSteps(tier: HistoryTier) {
        #expect(tier.window.value % tier.step.value == 0)
        #expect((500...1_000).contains(tier.stepCount))
    }

    @Test(arguments: HistoryTier.allCases)
    func aStepIsAWholeNumberOfThoseBelow(tier: HistoryTier) {
        guard let lower = tier.lower else { return }
        #expect(tier.step.value % lower.step.value == 0)
        let steps = tier.lowerSteps(of: 1_234)
        #expect(lower.start(of: steps.lowerBound) == tier.start(of: 1_234))
        #expect(lower.start(of: steps.upperBound) == tier.end(of: 1_234))
    }

    @Test(arguments: HistoryTier.allCases)
    func theTierBelowReachesFarEnoughBackToMakeAStepOf(tier: HistoryTier) {
        guard let lower = tier.lower else { return }
        #expect(lower.window.value >= 2 * tier.step.value)
    }

    @Test func theEndOfAStepBelongsToIt() {
        let tier = HistoryTier.hour
        #expect(tier.index(upTo: Timestamp(seconds: 10)) == 1)
        #expect(tier.index(upTo: Timestamp(nanoseconds: 10_000_000_001)) == 2)
        #expect(tier.index(from: Timestamp(seconds: 10)) == 2)
    }

    @Test func theEndsOfTimeDoNotTrap() {
        for tier in HistoryTier.allCases {
            #expect(tier.index(upTo: Timestamp(nanoseconds: .min)) == nil)
            #expect(tier.index(upTo: Timestamp(nanoseconds: 0)) == nil)
            #expect(tier.index(upTo: Timestamp(nanoseconds: .max)) != nil)
            #expect(tier.start(of: .max) == Timestamp(nanoseconds: .max))
            #expect(tier.end(of: .max) == Timestamp(nanoseconds: .max))
            _ = tier.lowerSteps(of: .max)
            #expect(
                Int64(HistoryRing.places(of: Int64.min..<Int64.max, in: tier).count) == HistoryRing.chunkCount(of: tier)
            )
        }
    }

    @Test(arguments: HistoryTier.allCases)
    func aNameIsReadBack(tier: HistoryTier) {
        #expect(HistoryTier(name: tier.name) == tier)
    }
}
