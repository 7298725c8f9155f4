import SondeDomain
import SondeEngine
import Testing

@Suite struct DrainPacerTests {
    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private func backlog(_ count: Int, since oldest: MonotonicInstant? = nil) -> Backlog {
        var backlog = Backlog()
        backlog.count = count
        backlog.oldest = oldest
        return backlog
    }

    /// Accepts one batch after the other, at its time, until one or less waits; how many seconds that takes.
    private func drain(
        _ pacer: inout DrainPacer, _ count: Int, batch: Int, collecting rate: Double, from begin: Int64
    ) -> Double {
        var (waiting, now, tail) = (Double(count), Double(begin), UInt64(count))
        while waiting > Double(batch), now < 1e7 {
            waiting -= Double(batch)
            let instant = MonotonicInstant(nanoseconds: Int64(now * 1e9))
            let pause = pacer.accepted(batch, backlog: Int(waiting), tail: tail, at: instant).seconds
            // A receiver that answers at once all the same needs a moment.
            let step = max(0.001, pause)
            (now, waiting, tail) = (now + step, waiting + rate * step, tail + UInt64(rate * step))
        }
        return now - Double(begin)
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

    @Test func aReceiverThatAsksForLessGetsHalfAsMuch() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.failed(tail: 1_000, at: at(0))
        // 10 per second were collected, and the drain is at four times that.
        var second: Int64 = 100
        for tail in [2_000, 2_100, 2_200, 2_300] as [UInt64] {
            _ = pacer.accepted(100, backlog: 5_000, tail: tail, at: at(second))
            second += 1
        }
        let fast = pacer.accepted(100, backlog: 5_000, tail: 2_400, at: at(second))
        pacer.slowDown()
        let slow = pacer.accepted(100, backlog: 5_000, tail: 2_500, at: at(second + 1))
        #expect(slow.value == fast.value * 2)
        #expect(pacer.accepted(100, backlog: 5_000, tail: 2_600, at: at(second + 2)) == fast)
        for _ in 0..<10 { pacer.slowDown() }
        // Never below the pace at which points are collected: what waits would grow for ever.
        #expect(pacer.accepted(100, backlog: 5_000, tail: 2_700, at: at(second + 3)).value <= fast.value * 4)
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
        pacer.resumed(backlog(2_000), at: at(0))
        // Ten seconds after the start 100 points have come, 10 per second.
        #expect(pacer.accepted(100, backlog: 2_000, tail: 2_100, at: at(10)) == .seconds(10))
        #expect(pacer.accepted(100, backlog: 2_000, tail: 2_200, at: at(20)) == .seconds(5))
        // It is not known how long it took to pile up: a rate that doubles is used.
        #expect(pacer.accepted(100, backlog: 2_500, tail: 2_800, at: at(40)) == .milliseconds(1_250))
        #expect(pacer.accepted(100, backlog: 100, tail: 2_900, at: at(41)) == .zero)
        #expect(pacer.accepted(100, backlog: 5_000, tail: 8_000, at: at(42)) == .zero)
    }

    @Test func theFirstSecondsMakeNoRate() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.resumed(backlog(2_000), at: at(0))
        #expect(pacer.accepted(100, backlog: 2_400, tail: 2_500, at: at(0)) == .seconds(5))
        #expect(pacer.accepted(100, backlog: 2_300, tail: 2_500, at: at(2)) == .seconds(3))
        #expect(pacer.accepted(100, backlog: 2_200, tail: 2_500, at: at(5)) == .seconds(1))
        #expect(pacer.accepted(100, backlog: 2_200, tail: 2_600, at: at(6)) == .milliseconds(500))
    }

    @Test func aBacklogThatOverflowShrinksIsPacedAllTheSame() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.resumed(backlog(2_000), at: at(0))
        #expect(pacer.accepted(100, backlog: 500, tail: 2_500, at: at(10)) == .seconds(60))
    }

    @Test func anOutageAfterTheStartIsPacedByItsOwnRate() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.resumed(backlog(2_000), at: at(0))
        pacer.failed(tail: 2_000, at: at(20))
        #expect(pacer.accepted(100, backlog: 3_900, tail: 4_000, at: at(120)) == .seconds(5))
    }

    @Test func theAgeOfABacklogTellsTheRateAtWhichItPiledUp() {
        var pacer = DrainPacer(batchSize: 100)
        // 2,000 in 100 s; ten seconds after the start nothing new has come.
        pacer.resumed(backlog(2_000, since: at(900)), at: at(1_000))
        #expect(pacer.accepted(100, backlog: 1_900, tail: 2_000, at: at(1_010)) == .seconds(5))
        #expect(pacer.accepted(100, backlog: 1_800, tail: 2_000, at: at(1_015)) == .milliseconds(2_500))
    }

    @Test func aBacklogThatIsNewerThanAFewSecondsTellsNoRate() {
        var pacer = DrainPacer(batchSize: 100)
        pacer.resumed(backlog(2_000, since: at(998)), at: at(1_000))
        #expect(pacer.accepted(100, backlog: 2_000, tail: 2_100, at: at(1_010)) == .seconds(10))
    }

    @Test(arguments: [nil, 604_800, 3_600, 60] as [Int64?])
    func aLongBacklogDrainsWithinTheHourThoughLittleIsCollectedNow(_ age: Int64?) {
        var pacer = DrainPacer(batchSize: 5_000)
        let start: Int64 = 1_000_000
        pacer.resumed(backlog(50_000_000, since: age.map { at(start - $0) }), at: at(start))
        let seconds = drain(&pacer, 50_000_000, batch: 5_000, collecting: 1, from: start)
        #expect(seconds < 3_900)
        // A receiver that has just come back is not overrun either.
        #expect(seconds > (age == 60 ? 10 : 800))
    }

    @Test func theBacklogOfALongOutageDrainsWithinTheHour() {
        var pacer = DrainPacer(batchSize: 5_000)
        pacer.failed(tail: 0, at: at(0))
        // A week at 50 points a second.
        let seconds = drain(&pacer, 30_240_000, batch: 5_000, collecting: 50, from: 604_800)
        #expect(seconds < 3_900)
        #expect(seconds > 3_000)
    }
}
