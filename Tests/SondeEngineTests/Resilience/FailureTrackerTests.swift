import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct FailureTrackerTests {
    private let time = Timestamp(seconds: 50)

    private func tracker(seed: UInt64 = 1) -> FailureTracker {
        FailureTracker(backoff: Backoff(base: .seconds(1), cap: .seconds(60)), random: SeededGenerator(seed: seed))
    }

    @Test func waitsGrowWithConsecutiveFailures() {
        var tracker = tracker()
        for failure in 1...10 {
            let (disposition, wait) = tracker.fail(.fake(.transient), at: time)
            #expect(disposition == .retry)
            #expect(wait >= .seconds(1) && wait <= .seconds(min(60, 1 << Int64(failure))))
            #expect(tracker.failures == failure)
        }
    }

    @Test func aSuccessEndsTheRowAndTellsWhatItEnded() {
        var tracker = tracker()
        _ = tracker.fail(.fake(.transient, code: "SND-A"), at: time)
        _ = tracker.fail(.fake(.transient, code: "SND-B"), at: Timestamp(seconds: 60))
        #expect(tracker.since == time)
        #expect(tracker.succeed()?.code == ErrorCode("SND-B"))
        #expect(tracker.failures == 0)
        #expect(tracker.since == nil)
        #expect(tracker.succeed() == nil)
    }

    @Test func whatIsHeldIsProbedEveryFourToSixMinutes() {
        var tracker = tracker()
        for _ in 0..<500 {
            let (disposition, wait) = tracker.fail(.fake(.configuration), at: time)
            #expect(disposition == .hold)
            #expect(wait >= .seconds(240) && wait <= .seconds(360))
        }
    }

    @Test(arguments: [FailureClass.resource, .unsafeStorage])
    func localFailuresWaitHalfAMinuteAtMost(failureClass: FailureClass) {
        var tracker = tracker()
        for _ in 0..<500 {
            #expect(tracker.fail(.fake(failureClass), at: time).1 <= .seconds(30))
        }
    }

    @Test func refusalsCountUntilAnAcceptance() {
        var tracker = tracker()
        for _ in 0..<19 { #expect(tracker.fail(.fake(.permanentData), at: time) == (.setAside, .zero)) }
        #expect(tracker.fail(.fake(.permanentData), at: time).0 == .hold)
        _ = tracker.succeed()
        #expect(tracker.fail(.fake(.permanentData), at: time).0 == .setAside)
    }

    @Test func aFailureRepeatsTheLastWhenCodeAndClassAreTheSame() {
        var tracker = tracker()
        #expect(!tracker.isRepetition(.fake(.transient)))
        _ = tracker.fail(.fake(.transient), at: time)
        #expect(tracker.isRepetition(.fake(.transient)))
        #expect(!tracker.isRepetition(.fake(.rateLimited)))
        #expect(!tracker.isRepetition(.fake(.transient, code: "SND-OTHER")))
    }

    @Test(arguments: FailureClass.allCases)
    func aFailureWithoutABatchAlwaysWaits(failureClass: FailureClass) {
        var tracker = tracker()
        for count in 1...50 {
            let (disposition, wait) = tracker.failWithoutBatch(.fake(failureClass), at: time)
            let isHeld = failureClass.needsPerson || (failureClass == .programmer && count >= 10)
            #expect(disposition == (isHeld ? .hold : .retry))
            #expect(wait >= .seconds(1))
        }
    }

    @Test func defectsCountUntilASuccess() {
        var tracker = tracker()
        for _ in 0..<9 { #expect(tracker.fail(.fake(.programmer), at: time).0 == .retry) }
        #expect(tracker.fail(.fake(.programmer), at: time).0 == .hold)
        #expect(tracker.fail(.fake(.transient), at: time).0 == .retry)
        _ = tracker.succeed()
        #expect(tracker.failWithoutBatch(.fake(.programmer), at: time).0 == .retry)
    }
}
