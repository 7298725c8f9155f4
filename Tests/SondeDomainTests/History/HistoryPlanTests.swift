import SondeDomain
import SondeTestKit
import Testing

@Suite struct HistoryPlanTests {
    private let now = Timestamp(seconds: 1_767_225_637)

    @Test(arguments: HistoryTier.allCases)
    func aWindowIsAnsweredFromItsTier(tier: HistoryTier) throws {
        let plan = try #require(HistoryPlan(HistoryRange(tier.window, before: now), resolution: nil, at: now))
        #expect(plan.tier == tier)
        #expect(plan.group == 1)
        #expect(plan.steps.count <= 1_000)
    }

    @Test func whatIsLongAgoIsAnsweredFromTheTierThatReachesBack() throws {
        let day = HistoryRange(
            from: Timestamp(seconds: 1_767_225_637 - 3 * 86_400), to: Timestamp(seconds: 1_767_225_637 - 2 * 86_400))
        #expect(try #require(HistoryPlan(day, resolution: nil, at: now)).tier == .week)
    }

    @Test func noAnswerHasMoreThanAThousandPointsAndEveryOneReachesOverTheRange() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<5_000 {
            let back = Int64.random(in: 1...(40 * 86_400), using: &random)
            let length = Int64.random(in: 1...back, using: &random)
            let resolution = Bool.random(using: &random) ? Int64.random(in: 0...90_000, using: &random) : nil
            let from = now.nanoseconds / 1_000_000_000 - back
            let range = HistoryRange(from: Timestamp(seconds: from), to: Timestamp(seconds: from + length))
            let plan = HistoryPlan(range, resolution: resolution.map(Nanoseconds.seconds), at: now)
            guard let plan else {
                #expect(from + length <= now.nanoseconds / 1_000_000_000 - 30 * 86_400)
                continue
            }
            let points = Int64(plan.steps.count) / plan.group
            #expect(points >= 1 && points <= 1_000)
            #expect(plan.tier.start(of: plan.steps.upperBound) >= min(range.to, now))
            let oldest = HistoryRange(HistoryTier.month.window, before: now).from
            #expect(plan.tier.start(of: plan.steps.lowerBound) <= max(range.from, oldest))
            #expect(plan.steps.lowerBound % plan.group == 0)
            #expect(plan.step >= .seconds(resolution ?? 0))
        }
    }

    @Test(arguments: [(1, 5), (5, 5), (7, 10), (29, 30), (30, 30), (31, 60), (45, 60), (3_600, 3_600), (5_000, 7_200)])
    func aPointIsNeverShorterThanTheResolution(asked: Int64, step: Int64) throws {
        let hour = HistoryRange(.seconds(3_600), before: now)
        #expect(try #require(HistoryPlan(hour, resolution: .seconds(asked), at: now)).step == .seconds(step))
    }

    @Test func theLengthOfARangeIsClamped() {
        #expect(HistoryRange(Nanoseconds(.max), before: Timestamp(nanoseconds: -10)).from.nanoseconds == .min)
        #expect(HistoryRange(Nanoseconds(-5), before: now).from == now)
    }
}
