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
}
