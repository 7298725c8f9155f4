import SondeDomain
import SondeEngine
import Testing

@Suite struct DrainPacerTests {
    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func aDrainBeginsAtTheCollectedRateAndDoublesUpToFourTimesIt() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.failed(tail: 1_000, at: at(0))
        pacer.failed(tail: 1_500, at: at(50))
        // 10 per second were collected during the outage of 100 s.
        #expect(pacer.accepted(100, backlog: 1_900, tail: 2_000, at: at(100)) == .seconds(10))
        #expect(pacer.accepted(100, backlog: 1_900, tail: 2_100, at: at(110)) == .seconds(5))
        #expect(pacer.accepted(100, backlog: 1_850, tail: 2_150, at: at(115)) == .milliseconds(2_500))
        #expect(pacer.accepted(100, backlog: 1_775, tail: 2_175, at: at(118)) == .milliseconds(2_500))
    }

    @Test func nothingIsPacedWhenOneBatchWaitsAtTheMost() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.failed(tail: 0, at: at(0))
        #expect(pacer.accepted(100, backlog: 100, tail: 200, at: at(100)) == .zero)
        #expect(pacer.accepted(100, backlog: 5_000, tail: 9_000, at: at(101)) == .zero)
    }

    @Test func aShortOutageIsNotPaced() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.failed(tail: 0, at: at(0))
        #expect(pacer.accepted(100, backlog: 5_000, tail: 5_000, at: at(4)) == .zero)
    }

    @Test func aPauseIsNeverLongerThanAMinute() {
        var pacer = DrainPacer(batchSize: 5_000)
        pacer.failed(tail: 0, at: at(0))
        #expect(pacer.accepted(5_000, backlog: 10_000, tail: 10_000, at: at(100_000)) == .seconds(60))
    }

    @Test func whatAnEarlierProcessLeftIsPacedByWhatIsCollectedNow() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.resumed(backlog: 2_000, at: at(0))
        // Ten seconds after the start 100 points have come, 10 per second.
        #expect(pacer.accepted(100, backlog: 2_000, tail: 2_100, at: at(10)) == .seconds(10))
        #expect(pacer.accepted(100, backlog: 2_000, tail: 2_200, at: at(20)) == .seconds(5))
        // Nobody knows how long it took to pile up: a rate that doubles is heeded.
        #expect(pacer.accepted(100, backlog: 2_500, tail: 2_800, at: at(40)) == .milliseconds(1_250))
        #expect(pacer.accepted(100, backlog: 100, tail: 2_900, at: at(41)) == .zero)
        #expect(pacer.accepted(100, backlog: 5_000, tail: 8_000, at: at(42)) == .zero)
    }

    @Test func aFirstCollectionIsNotTakenForARate() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.resumed(backlog: 2_000, at: at(0))
        // 500 points in the first instant count as if they had taken five seconds.
        #expect(pacer.accepted(100, backlog: 2_400, tail: 2_500, at: at(0)) == .seconds(1))
    }

    @Test func aBacklogThatOverflowShrinksIsPacedAllTheSame() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.resumed(backlog: 2_000, at: at(0))
        #expect(pacer.accepted(100, backlog: 500, tail: 2_500, at: at(10)) == .seconds(60))
    }

    @Test func anOutageAfterTheStartIsPacedByItsOwnRate() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.resumed(backlog: 2_000, at: at(0))
        pacer.failed(tail: 2_000, at: at(20))
        #expect(pacer.accepted(100, backlog: 3_900, tail: 4_000, at: at(120)) == .seconds(5))
    }
}
