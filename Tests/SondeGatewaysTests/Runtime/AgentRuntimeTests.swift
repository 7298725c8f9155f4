import Glibc
import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Synchronization
import Testing

@Suite struct AgentRuntimeTests {
    @Test func whatIsCollectedIsDeliveredUpToTheFinalCollection() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { call in
            channel.commit(number: call.isFinal ? 99 : 1)
            if !call.isFinal { signals.give(SIGTERM) }
        }
        let sink = FakeSinkInstance()
        try bench.add(source, channel)
        try bench.add("file", sink)
        #expect(try bench.run() == .stopped)
        #expect(sink.deliveredNumbers == [1, 99])
        #expect(source.calls == [.start, .collect(isFinal: false), .collect(isFinal: true), .close])
        #expect(sink.isClosed)
        #expect(bench.leftover.isEmpty)
    }

    @Test func aSinkDeliversWhileTheAgentRuns() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let delivered = try Gate()
        let source = FakeSourceInstance { call in if !call.isFinal { channel.commit(number: 1) } }
        let sink = FakeSinkInstance { _, _, _ in
            delivered.open()
            signals.give(SIGINT)
            return .delivered(rejectedPoints: 0, reason: "")
        }
        try bench.add(source, channel)
        try bench.add("file", sink)
        #expect(try bench.run() == .stopped)
        #expect(delivered.wait())
        #expect(sink.deliveredNumbers == [1])
    }

    @Test func aSinkServesBetweenDeliveriesAndNeverDuringOne() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { _ in channel.commit(number: 1) }
        let log = Mutex<[String]>([])
        let sink = FakeSinkInstance { _, number, _ in
            log.withLock { $0.append("delivers") }
            if number == 3 { signals.give(SIGTERM) }
            return .delivered(rejectedPoints: 0, reason: "")
        } server: { call in
            log.withLock { $0.append("serves") }
            var descriptor = pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, 20_000)
            log.withLock { $0.append("served") }
            return .cancelled
        }
        try bench.add(source, channel, interval: .milliseconds(50))
        try bench.add("scrape", sink)
        #expect(try bench.run() == .stopped)
        let steps = log.withLock { $0 }
        #expect(steps.count { $0 == "delivers" } >= 3)
        #expect(steps.count { $0 == "serves" } >= 3)
        for (step, next) in zip(steps, steps.dropFirst()) { #expect((step == "serves") == (next == "served")) }
    }

    @Test func aSinkThatFailsToServeIsStartedAgainAfterABackoff() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { _ in channel.commit(number: 1) }
        let calls = Mutex(0)
        let sink = FakeSinkInstance(server: { (_) throws(SondeError) in
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard call > 1 else { throw .fake(.transient) }
            signals.give(SIGTERM)
            return .cancelled
        })
        try bench.add(source, channel)
        try bench.add("scrape", sink, retryBase: .milliseconds(10))
        #expect(try bench.run() == .stopped)
        #expect(sink.startCount == 2)
    }

    @Test func everySinkGetsWhatTheLastCollectionBrought() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { call in
            channel.commit(number: call.isFinal ? 99 : 1)
            if !call.isFinal { signals.give(SIGTERM) }
        }
        let sinks = (0..<4).map { _ in FakeSinkInstance() }
        try bench.add(source, channel)
        for (index, sink) in sinks.enumerated() { try bench.add("sink\(index)", sink, wait: .seconds(3_600)) }
        #expect(try bench.run() == .stopped)
        #expect(sinks.allSatisfy { $0.deliveredNumbers == [1, 99] })
    }

    @Test func aStreamIsCancelledAtTheStop() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("wire")
        let source = FakeSourceInstance(isStreaming: true) { call in
            signals.give(SIGTERM)
            guard Poll.waitUntilReadable(call.cancelDescriptor) else { return }
            channel.commit(number: 7)
        }
        let sink = FakeSinkInstance()
        try bench.add(source, channel)
        try bench.add("file", sink)
        #expect(try bench.run() == .stopped)
        #expect(sink.deliveredNumbers == [7])
        #expect(source.calls == [.start, .run, .close])
    }

    @Test func aSourceThatHangsDoesNotTakeTheSinksTime() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let (hanging, healthy) = (bench.channel("hanging"), bench.channel("healthy"))
        let release = try Gate()
        defer { release.open() }
        let collected = try Gate()
        let hung = FakeSourceInstance { _ in
            collected.wait()
            signals.give(SIGTERM)
            release.wait()
        }
        let source = FakeSourceInstance { call in
            healthy.commit(number: call.isFinal ? 99 : 1)
            collected.open()
        }
        let sink = FakeSinkInstance()
        try bench.add(hung, hanging)
        try bench.add(source, healthy)
        try bench.add("file", sink)
        let began = bench.clock.monotonicTime
        #expect(try bench.run(grace: .seconds(4)) == .abandoned)
        #expect(bench.clock.monotonicTime.since(began) < .seconds(20))
        #expect(sink.deliveredNumbers.contains(99))
        #expect(sink.isClosed)
    }

    @Test func aSourceThatHeedsItsCancelSignalIsNoReasonToAbandon() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("slow")
        let source = FakeSourceInstance { call in
            guard !call.isFinal else { return }
            signals.give(SIGTERM)
            _ = Poll.waitUntilReadable(call.cancelDescriptor)
        }
        try bench.add(source, channel)
        try bench.add("file", FakeSinkInstance())
        #expect(try bench.run(grace: .seconds(2)) == .stopped)
        #expect(source.calls.last == .close)
    }

    @Test func aSecondSignalEndsAtOnce() throws {
        let bench = try RuntimeBench()
        let (signals, clock) = (bench.signals, bench.clock)
        let channel = bench.channel("kernel")
        let release = try Gate()
        defer { release.open() }
        let source = FakeSourceInstance { _ in
            signals.give(SIGTERM)
            // The echo of a signal is no second one: what comes within half a second of it is not heeded.
            let later = clock.monotonicTime.advanced(by: .milliseconds(600))
            guard let timer = try? Timer() else { return }
            timer.arm(at: later)
            timer.wait()
            signals.give(SIGTERM)
            release.wait()
        }
        try bench.add(source, channel)
        try bench.add("file", FakeSinkInstance())
        let began = clock.monotonicTime
        #expect(try bench.run(grace: .seconds(60)) == .abandoned)
        #expect(clock.monotonicTime.since(began) < .seconds(25))
    }

    @Test func theEchoOfASignalIsNoSecondOne() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { call in
            channel.commit(number: call.isFinal ? 99 : 1)
            if !call.isFinal { for _ in 0..<3 { signals.give(SIGTERM) } }
        }
        let sink = FakeSinkInstance()
        try bench.add(source, channel)
        try bench.add("file", sink)
        #expect(try bench.run() == .stopped)
        #expect(sink.deliveredNumbers == [1, 99])
    }

    @Test func aHangupWithoutAnythingToReadStopsNothing() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { call in
            guard !call.isFinal else { return }
            signals.give(SIGHUP)
            signals.give(SIGTERM)
        }
        try bench.add(source, channel)
        try bench.add("file", FakeSinkInstance())
        #expect(try bench.run() == .stopped)
    }

    @Test func aReceiverThatIsDownIsAskedALastTimeAndWhatWaitsIsToldOf() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { call in
            if !call.isFinal { for number in 1...5 as ClosedRange<UInt64> { channel.commit(number: number) } }
        }
        let sink = FakeSinkInstance { _, number, _ throws(SondeError) in
            if number == 1 { signals.give(SIGTERM) }
            throw .fake(.transient)
        }
        try bench.add(source, channel)
        try bench.add("central", sink, retryBase: .seconds(600))
        let began = bench.clock.monotonicTime
        #expect(try bench.run(grace: .seconds(60)) == .stopped)
        #expect(bench.clock.monotonicTime.since(began) < .seconds(30))
        #expect(bench.leftover == ["central": 5])
        #expect(sink.offered.count == 2)
        #expect(sink.isClosed)
    }

    @Test func theAgentEndsWhenEveryOutputIsGone() throws {
        let bench = try RuntimeBench()
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { _ in channel.commit(number: 1) }
        let sink = FakeSinkInstance { _, _, _ throws(SondeError) in
            throw .fake(.transient, code: ErrorCode.outputClosed.text)
        }
        try bench.add(source, channel)
        try bench.add("console", sink)
        #expect(try bench.run() == .stopped)
        #expect(source.calls.last == .close)
    }

    @Test func aSinkThatHangsIsAbandonedAfterTheGraceTime() throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let release = try Gate()
        defer { release.open() }
        let source = FakeSourceInstance { call in if !call.isFinal { channel.commit(number: 1) } }
        let sink = FakeSinkInstance { _, _, _ in
            signals.give(SIGTERM)
            release.wait()
            return .cancelled
        }
        try bench.add(source, channel)
        try bench.add("stuck", sink)
        let began = bench.clock.monotonicTime
        #expect(try bench.run(grace: .milliseconds(300)) == .abandoned)
        #expect(bench.clock.monotonicTime.since(began) >= .milliseconds(1_300))
    }

    @Test func anAgentWithoutSourcesStopsToo() throws {
        let bench = try RuntimeBench()
        try bench.add("file", FakeSinkInstance())
        bench.signals.give(SIGTERM)
        #expect(try bench.run() == .stopped)
    }

    @Test(arguments: [(FailureClass.configuration, 2), (.accessRefused, 1)])
    func aSinkThatIsHeldIsAskedALastTimeUnlessItRefusesAccess(failureClass: FailureClass, offers: Int) throws {
        let bench = try RuntimeBench()
        let signals = bench.signals
        let channel = bench.channel("kernel")
        let source = FakeSourceInstance { call in if !call.isFinal { channel.commit(number: 1) } }
        let sink = FakeSinkInstance { _, number, _ throws(SondeError) in
            signals.give(SIGTERM)
            throw .fake(failureClass)
        }
        try bench.add(source, channel)
        try bench.add("central", sink)
        let began = bench.clock.monotonicTime
        #expect(try bench.run(grace: .seconds(60)) == .stopped)
        #expect(bench.clock.monotonicTime.since(began) < .seconds(30))
        #expect(sink.offered.count == offers)
        #expect(bench.leftover == ["central": 1])
    }
}
