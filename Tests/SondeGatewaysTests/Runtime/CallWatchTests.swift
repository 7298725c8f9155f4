import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Testing

@Suite struct CallWatchTests {
    private let log = RecordingLog()
    private let timer = RecordingWakeup()
    private let clock = ManualClock(monotonic: MonotonicInstant(nanoseconds: 0))

    private func watch(entry: StatusEntry? = nil) -> CallWatch {
        CallWatch(component: "wire", timer: timer, log: log, clock: clock, entry: entry)
    }

    private func second(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 0).advanced(by: .seconds(seconds))
    }

    @Test func aCallThatReturnsIsNotSpokenOf() {
        let watch = watch()
        watch.callBegan(deadline: second(1))
        watch.callEnded()
        clock.advance(by: .seconds(6))
        #expect(!watch.report())
        #expect(log.lines.isEmpty)
    }

    @Test func aCallThatHangsIsReportedOnceAndItsReturnToo() {
        let watch = watch()
        watch.callBegan(deadline: second(1))
        clock.advance(by: .seconds(6))
        #expect(watch.report())
        #expect(!watch.report())
        #expect(log.lines.map(\.error?.code) == [.callHangs])
        #expect(log.lines.first?.component == "wire")
        watch.callEnded()
        #expect(log.lines(.info).count == 1)
        watch.callBegan(deadline: .distantFuture)
        watch.callEnded()
        #expect(log.lines.count == 2)
    }

    @Test func aCallThatHangsIsOnTheBoardUntilItReturns() {
        let entry = StatusEntry(id: "wire", plugin: "pcap", kind: .source, at: clock.monotonicTime)
        let watch = watch(entry: entry)
        watch.callBegan(deadline: second(1))
        clock.advance(by: .seconds(6))
        watch.report()
        #expect(entry.current.hang?.error.code == .callHangs)
        #expect(entry.current.state == .overdue)
        watch.callEnded()
        #expect(entry.current.hang == nil)
    }

    @Test func aStreamIsNeverSpokenOf() {
        watch().callBegan(deadline: .distantFuture)
        #expect(timer.instants.isEmpty)
    }

    @Test func aDeadlineHasAGrace() {
        watch().callBegan(deadline: second(1))
        #expect(timer.instants == [second(6)])
    }

    @Test func callsThatFollowEachOtherMoveTheTimerOnceInAWhile() {
        let watch = watch()
        for deadline in [100, 103, 105] as [Int64] {
            watch.callBegan(deadline: second(deadline))
            watch.callEnded()
        }
        #expect(timer.instants == [second(105), second(110)])
    }

    @Test func aCallWithAnEarlierDeadlineIsNotSpokenOfMuchTooLate() {
        let watch = watch()
        watch.callBegan(deadline: second(3_600))
        watch.callEnded()
        watch.callBegan(deadline: second(1))
        #expect(timer.instants.last == second(6))
    }

    @Test func aTimerThatFiresForACallThatReturnedIsSetForTheOneUnderWay() {
        let watch = watch()
        watch.callBegan(deadline: second(1))
        watch.callEnded()
        watch.callBegan(deadline: second(2))
        #expect(timer.instants == [second(6)])
        clock.advance(by: .seconds(6))
        #expect(!watch.report())
        #expect(timer.instants == [second(6), second(7)])
        clock.advance(by: .seconds(1))
        #expect(watch.report())
        #expect(log.lines.map(\.error?.code) == [.callHangs])
    }
}
