import SondeDomain
import SondeGateways
import Testing

@Suite struct LoopTimerTests {
    private let loop: EventLoop
    private let clock = SystemClock()
    private let past = MonotonicInstant(nanoseconds: 1)
    /// It is reached in the same round, after what is set to `past`.
    private let endOfRound = MonotonicInstant(nanoseconds: 2)

    init() throws {
        loop = try EventLoop()
    }

    private func later(_ span: Nanoseconds) -> MonotonicInstant { clock.monotonicTime.advanced(by: span) }

    /// Runs the loop until a handler stops it, or an instant is reached; only a failing test reaches the default.
    private func run(_ timers: [LoopTimer], until instant: MonotonicInstant? = nil) {
        let end = LoopTimer()
        loop.watch(end) { [unowned loop] in loop.stop() }
        end.arm(at: instant ?? later(.seconds(30)))
        loop.run()
        for timer in timers + [end] { loop.unwatch(timer) }
    }

    @Test func aTimerFiresOnceEachTimeItIsSet() {
        let timer = LoopTimer()
        var fired = 0
        loop.watch(timer) { [unowned timer] in
            fired += 1
            if fired == 1 { timer.arm(at: past) }
        }
        timer.arm(at: past)
        run([timer], until: later(.milliseconds(20)))
        #expect(fired == 2)
    }

    @Test(arguments: [Int64.min, -1, 0, 1])
    func anInstantThatHasPassedFiresAtOnce(_ nanoseconds: Int64) {
        let timer = LoopTimer()
        var fired = 0
        loop.watch(timer) { [unowned loop] in
            fired += 1
            loop.stop()
        }
        timer.arm(at: MonotonicInstant(nanoseconds: nanoseconds))
        run([timer])
        #expect(fired == 1)
    }

    @Test func timersFireInTheOrderOfTheirInstantsAndNeverBeforeThem() {
        let timers = (0..<5).map { _ in LoopTimer() }
        let begin = later(.milliseconds(10))
        let instants = [4, 0, 3, 1, 2].map { begin.advanced(by: .milliseconds(5 * $0)) }
        var fired: [Int] = []
        for (index, timer) in timers.enumerated() {
            loop.watch(timer) { [unowned loop] in
                #expect(clock.monotonicTime >= instants[index])
                fired.append(index)
                if fired.count == instants.count { loop.stop() }
            }
            timer.arm(at: instants[index])
        }
        run(timers)
        #expect(fired == [1, 3, 4, 2, 0])
    }

    @Test func aTimerThatAHandlerUnsetsOrSetsLaterDoesNotFireInTheSameRound() {
        let (first, unset, moved, unwatched) = (LoopTimer(), LoopTimer(), LoopTimer(), LoopTimer())
        var fired: [String] = []
        loop.watch(first) { [unowned loop] in
            fired.append("first")
            unset.disarm()
            moved.arm(at: later(.seconds(3_600)))
            loop.unwatch(unwatched)
        }
        for (timer, name) in [(unset, "unset"), (moved, "moved"), (unwatched, "unwatched")] {
            loop.watch(timer) { fired.append(name) }
        }
        for timer in [first, unset, moved, unwatched] { timer.arm(at: past) }
        run([first, unset, moved, unwatched], until: endOfRound)
        #expect(fired == ["first"])
    }

    @Test func aTimerThatIsSetAgainAtOnceLeavesTheDescriptorsTheirTurn() throws {
        let timer = LoopTimer()
        let signal = try CancelSignal()
        var rounds = 0
        loop.watch(timer) { [unowned timer] in
            rounds += 1
            if rounds == 3 { signal.cancel() }
            timer.arm(at: past)
        }
        var wasServed = false
        try loop.watch(signal.descriptor) { [unowned loop] in
            wasServed = true
            loop.stop()
        }
        timer.arm(at: past)
        run([timer])
        #expect(wasServed)
    }

    @Test func aTimerWhoseOwnerIsGoneDoesNotFire() {
        var (timer, fired) = (Optional(LoopTimer()), false)
        if let timer { loop.watch(timer) { fired = true } }
        timer?.arm(at: past)
        timer = nil
        // It takes the address, which the timer that ends the run would get otherwise.
        let successor = LoopTimer()
        run([successor], until: endOfRound)
        #expect(!fired)
    }

    @Test func aTimerWhoseOwnerGoesInAHandlerDoesNotFireInTheSameRound() {
        let first = LoopTimer()
        var (second, fired) = (Optional(LoopTimer()), false)
        loop.watch(first) { second = nil }
        if let second { loop.watch(second) { fired = true } }
        for timer in [first, second] { timer?.arm(at: past) }
        run([first], until: endOfRound)
        #expect(!fired)
        #expect(second == nil)
    }

    @Test func aTimerThatIsSetBeforeItIsWatchedFires() {
        let timer = LoopTimer()
        timer.arm(at: past)
        var fired = false
        loop.watch(timer) { [unowned loop] in
            fired = true
            loop.stop()
        }
        run([timer])
        #expect(fired)
    }

    @Test func aTimerThatIsNoLongerWatchedIsUnsetAndMayJoinAnotherLoop() throws {
        let timer = LoopTimer()
        var fired: [String] = []
        let other = try EventLoop()
        other.watch(timer) { fired.append("other") }
        timer.arm(at: past)
        other.unwatch(timer)
        loop.watch(timer) { fired.append("unset") }
        run([timer], until: endOfRound)
        #expect(fired.isEmpty)
        other.watch(timer) { [unowned other] in
            fired.append("other")
            other.stop()
        }
        timer.arm(at: past)
        other.run()
        other.unwatch(timer)
        #expect(fired == ["other"])
    }

    @Test func anotherThreadCanSetATimerEarlier() throws {
        let timer = LoopTimer()
        var fired = false
        loop.watch(timer) { [unowned loop] in
            fired = true
            loop.stop()
        }
        timer.arm(at: later(.seconds(3_600)))
        let thread = try PluginThread(name: "waker") { timer.arm(at: MonotonicInstant(nanoseconds: 1)) }
        run([timer])
        thread.join()
        #expect(fired)
    }
}
