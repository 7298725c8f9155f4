import SondeDomain
import SondeGateways
import Testing

@Suite struct EventLoopTests {
    @Test func itServesWhatIsReadableUntilItIsStopped() throws {
        let loop = try EventLoop()
        let (first, second) = (try Timer(), try Timer())
        var served: [String] = []
        try loop.watch(first.descriptor.raw) {
            first.acknowledge()
            served.append("first")
            second.arm(at: MonotonicInstant(nanoseconds: 1))
        }
        try loop.watch(second.descriptor.raw) {
            second.acknowledge()
            served.append("second")
            loop.stop()
        }
        first.arm(at: MonotonicInstant(nanoseconds: 1))
        loop.run()
        #expect(served == ["first", "second"])
    }

    @Test func nothingIsServedAfterTheStop() throws {
        let loop = try EventLoop()
        let timers = [try Timer(), try Timer()]
        var served = 0
        for timer in timers {
            timer.arm(at: MonotonicInstant(nanoseconds: 1))
            #expect(Poll.waitUntilReadable(timer.descriptor.raw))
            try loop.watch(timer.descriptor.raw) {
                served += 1
                loop.stop()
            }
        }
        loop.run()
        #expect(served == 1)
    }

    @Test func aDescriptorThatCannotBeWatchedIsAnError() throws {
        let loop = try EventLoop()
        #expect(throws: SondeError.self) { try loop.watch(-1) {} }
    }
}
