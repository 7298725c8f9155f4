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
}
