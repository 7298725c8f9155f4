import SondeDomain
import Testing

@testable import ProcNetPlugin

@Suite struct WalkPaceTests {
    private func pace(_ percent: Double, cost: Nanoseconds) -> WalkPace {
        var pace = WalkPace(percent: percent)
        pace.walked(at: MonotonicInstant(nanoseconds: 0), cost: cost)
        return pace
    }

    private func due(_ pace: WalkPace, interval: Int64, within seconds: Int64) -> Int64? {
        stride(from: interval, through: seconds, by: Int64.Stride(interval)).first {
            pace.isDue(at: MonotonicInstant(nanoseconds: $0 * 1_000_000_000), interval: .seconds(interval))
        }
    }

    @Test func theFirstWalkIsDueAtOnce() {
        #expect(WalkPace(percent: 1).isDue(at: MonotonicInstant(nanoseconds: 5), interval: .seconds(1)))
    }

    @Test(arguments: [
        (1.0, 1, 5), (1.0, 50, 5), (1.0, 51, 6), (1.0, 100, 10), (10.0, 900, 9), (0.1, 10, 10), (1.0, 1_000, 60),
    ])
    func aWalkIsRepeatedWhenTheBudgetAllows(percent: Double, milliseconds: Int64, after: Int64) {
        let pace = pace(percent, cost: .milliseconds(milliseconds))
        #expect(due(pace, interval: 1, within: 100) == after)
    }

    @Test(arguments: [(7, 56), (10, 60), (45, 45), (60, 60), (300, 300)])
    func noMinutePassesWithoutAWalk(interval: Int64, after: Int64) {
        #expect(due(pace(1, cost: .seconds(100)), interval: interval, within: 600) == after)
    }

    @Test func aTimerThatIsEarlyByAMomentMissesNoTurn() {
        let pace = pace(1, cost: .milliseconds(100))
        #expect(pace.isDue(at: MonotonicInstant(nanoseconds: 9_950_000_000), interval: .seconds(10)))
        #expect(!pace.isDue(at: MonotonicInstant(nanoseconds: 8_000_000_000), interval: .seconds(1)))
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func anyCostGivesAPeriod(cost: Int64) {
        let period = pace(1, cost: Nanoseconds(cost)).period
        #expect(period >= .seconds(5))
        #expect(period <= .seconds(60))
    }
}
