import CLinux
import Glibc
import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Testing

@Suite struct CallWatchTests {
    private let log = RecordingLog()

    @Test func aCallThatReturnsIsNotSpokenOf() throws {
        let watch = try CallWatch(component: "wire", log: log)
        watch.callBegan(deadline: MonotonicInstant(nanoseconds: 1))
        watch.callEnded()
        watch.report()
        #expect(log.lines.isEmpty)
    }

    @Test func aCallThatHangsIsReportedOnceAndItsReturnToo() throws {
        let watch = try CallWatch(component: "wire", log: log)
        watch.callBegan(deadline: MonotonicInstant(nanoseconds: 1))
        #expect(Poll.waitUntilReadable(watch.timer.descriptor.raw))
        watch.report()
        watch.report()
        #expect(log.lines.map(\.error?.code) == [.callHangs])
        #expect(log.lines.first?.component == "wire")
        watch.callEnded()
        #expect(log.lines(.info).count == 1)
        watch.callBegan(deadline: .distantFuture)
        watch.callEnded()
        #expect(log.lines.count == 2)
    }

    @Test func aCallThatHangsIsOnTheBoardUntilItReturns() throws {
        let now = SystemClock().monotonicTime
        let entry = StatusEntry(id: "wire", plugin: "pcap", kind: .source, at: now)
        let watch = try CallWatch(component: "wire", log: log, entry: entry)
        watch.callBegan(deadline: MonotonicInstant(nanoseconds: 1))
        #expect(Poll.waitUntilReadable(watch.timer.descriptor.raw))
        watch.report()
        #expect(entry.current.hang?.error.code == .callHangs)
        #expect(entry.current.state == .overdue)
        watch.callEnded()
        #expect(entry.current.hang == nil)
    }

    @Test func aStreamIsNeverSpokenOf() throws {
        let watch = try CallWatch(component: "wire", log: log)
        watch.callBegan(deadline: .distantFuture)
        #expect(!Poll.isReadable(watch.timer.descriptor.raw))
    }

    @Test func aDeadlineHasAGrace() throws {
        let watch = try CallWatch(component: "wire", log: log)
        watch.callBegan(deadline: SystemClock().monotonicTime)
        #expect(!Poll.isReadable(watch.timer.descriptor.raw))
    }

    @Test func callsThatFollowEachOtherMoveTheTimerOnceInAWhile() throws {
        let watch = try CallWatch(component: "wire", log: log)
        let now = SystemClock().monotonicTime
        watch.callBegan(deadline: now.advanced(by: .seconds(100)))
        watch.callEnded()
        let first = remaining(watch)
        watch.callBegan(deadline: now.advanced(by: .seconds(103)))
        watch.callEnded()
        #expect(remaining(watch) <= first)
        watch.callBegan(deadline: now.advanced(by: .seconds(105)))
        #expect(remaining(watch) > first)
    }

    @Test func aCallWithAnEarlierDeadlineIsNotSpokenOfMuchTooLate() throws {
        let watch = try CallWatch(component: "wire", log: log)
        let now = SystemClock().monotonicTime
        watch.callBegan(deadline: now.advanced(by: .seconds(3_600)))
        watch.callEnded()
        watch.callBegan(deadline: now.advanced(by: .seconds(1)))
        #expect(remaining(watch) <= 7)
    }

    @Test func aTimerThatFiresForACallThatReturnedIsSetForTheOneUnderWay() throws {
        let clock = ManualClock(monotonic: MonotonicInstant(nanoseconds: 6_000_000_000))
        let watch = try CallWatch(component: "wire", log: log, clock: clock)
        watch.callBegan(deadline: MonotonicInstant(nanoseconds: 1))
        watch.callEnded()
        watch.callBegan(deadline: MonotonicInstant(nanoseconds: 2_000_000_000))
        #expect(Poll.waitUntilReadable(watch.timer.descriptor.raw))
        watch.report()
        #expect(log.lines.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(Poll.waitUntilReadable(watch.timer.descriptor.raw))
        watch.report()
        #expect(log.lines.map(\.error?.code) == [.callHangs])
    }

    /// Seconds until the timer fires.
    private func remaining(_ watch: CallWatch) -> Double {
        var setting = itimerspec()
        timerfd_gettime(watch.timer.descriptor.raw, &setting)
        return Double(setting.it_value.tv_sec) + Double(setting.it_value.tv_nsec) / 1e9
    }
}
