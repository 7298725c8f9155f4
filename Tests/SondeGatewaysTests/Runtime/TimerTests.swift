import Glibc
import SondeDomain
import SondeGateways
import Testing

@Suite struct TimerTests {
    private func isReadable(_ timer: Timer) -> Bool { Poll.isReadable(timer.descriptor.raw) }

    @Test func anInstantThatHasPassedFiresAtOnce() throws {
        let timer = try Timer()
        #expect(!isReadable(timer))
        for nanoseconds in [Int64.min, -1, 0, 1] {
            timer.arm(at: MonotonicInstant(nanoseconds: nanoseconds))
            #expect(Poll.waitUntilReadable(timer.descriptor.raw))
            #expect(timer.acknowledge())
            #expect(!isReadable(timer))
        }
    }

    @Test func itNeverFiresBeforeItsInstant() throws {
        let timer = try Timer()
        let due = SystemClock().monotonicTime.advanced(by: .milliseconds(30))
        timer.arm(at: due)
        timer.wait()
        #expect(SystemClock().monotonicTime >= due)
        #expect(!isReadable(timer))
    }

    @Test func theDistantFutureDisarms() throws {
        let timer = try Timer()
        timer.arm(at: MonotonicInstant(nanoseconds: 1))
        timer.arm(at: .distantFuture)
        #expect(!isReadable(timer))
        #expect(!timer.acknowledge())
    }

    @Test func theLastCallCounts() throws {
        let timer = try Timer()
        timer.arm(at: SystemClock().monotonicTime.advanced(by: .seconds(3_600)))
        timer.arm(at: MonotonicInstant(nanoseconds: 1))
        #expect(Poll.waitUntilReadable(timer.descriptor.raw))
        timer.disarm()
        #expect(!isReadable(timer))
    }

    @Test func anotherThreadCanWakeTheOneThatWaits() throws {
        let timer = try Timer()
        timer.arm(at: SystemClock().monotonicTime.advanced(by: .seconds(3_600)))
        let thread = try PluginThread(name: "waiter") { timer.wait() }
        timer.arm(at: MonotonicInstant(nanoseconds: 1))
        thread.join()
        #expect(!isReadable(timer))
    }
}
