import Glibc
import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Synchronization
import Testing

/// Who comes and goes while the agent runs.
@Suite struct RosterTests {
    private let bench: RuntimeBench
    private let mailbox: RosterMailbox

    init() throws {
        bench = try RuntimeBench()
        mailbox = RosterMailbox()
    }

    /// Runs the agent, and `body` beside it once `begun` is open; ends the agent then.
    private func run(after begun: Gate, _ body: @escaping @Sendable () -> Void) throws -> AgentRuntime.End {
        let signals = bench.signals
        let thread = try PluginThread(name: "reload") {
            begun.wait()
            body()
            signals.give(SIGTERM)
        }
        defer { thread.join() }
        return try bench.run(grace: .seconds(5), mailbox: mailbox)
    }

    @Test func aSuccessorBeginsWhenItsPredecessorHasEnded() throws {
        let begun = try Gate()
        let order = Mutex<[String]>([])
        let old = FakeSourceInstance { call in
            order.withLock { $0.append(call.isFinal ? "old ends" : "old") }
            begun.open()
        }
        let joined = try Gate()
        let new = FakeSourceInstance { call in
            order.withLock { $0.append(call.isFinal ? "new ends" : "new") }
            joined.open()
        }
        try bench.add(old, bench.channel("a"))
        try bench.add("file", FakeSinkInstance())
        let membership = Membership(join: { order.withLock { $0.append("new joins") } }, leave: {})
        let runner = try bench.makeSource(new, bench.channel("a"), wish: .hold, membership: membership)
        try runner.start()
        let mailbox = mailbox
        let end = try run(after: begun) {
            let change = RosterChange(leaving: ["a": .handOver], newcomers: [runner], grace: .seconds(5))
            #expect((try? mailbox.submit(change)) == [])
            #expect(joined.wait())
        }
        #expect(end == .stopped)
        #expect(order.withLock { $0 } == ["old", "old ends", "new joins", "new", "new ends"])
        #expect(old.calls.last == .close)
    }

    @Test func aSuccessorWaitsForACallThatHangsAndTheChangeEndsWithoutIt() throws {
        let (begun, release, joined) = (try Gate(), try Gate(), try Gate())
        let hung = FakeSourceInstance { _ in
            begun.open()
            release.wait()
        }
        let new = FakeSourceInstance { _ in joined.open() }
        try bench.add(hung, bench.channel("a"))
        try bench.add("file", FakeSinkInstance())
        let runner = try bench.makeSource(new, bench.channel("a"), wish: .hold)
        try runner.start()
        let mailbox = mailbox
        let end = try run(after: begun) {
            let change = RosterChange(leaving: ["a": .handOver], newcomers: [runner], grace: .milliseconds(100))
            #expect((try? mailbox.submit(change)) == ["a"])
            #expect(new.calls.isEmpty)
            release.open()
            #expect(joined.wait())
        }
        #expect(end == .stopped)
        #expect(hung.calls.last == .close)
        #expect(new.calls.last == .close)
    }

    @Test func whoLeavesForGoodIsSeenNoLongerAndOthersAreNotDisturbed() throws {
        let (begun, left) = (try Gate(), try Gate())
        let kept = FakeSourceInstance { _ in begun.open() }
        let gone = FakeSourceInstance()
        try bench.add(kept, bench.channel("kept"))
        try bench.add(
            bench.makeSource(gone, bench.channel("gone"), membership: Membership(join: {}, leave: { left.open() })))
        try bench.add("file", FakeSinkInstance())
        let mailbox = mailbox
        let end = try run(after: begun) {
            let change = RosterChange(leaving: ["gone": .forGood], newcomers: [], grace: .seconds(5))
            #expect((try? mailbox.submit(change)) == [])
            #expect(left.wait())
            #expect(gone.calls.last == .close)
            #expect(kept.calls == [.start, .collect(isFinal: false)])
        }
        #expect(end == .stopped)
        #expect(kept.calls == [.start, .collect(isFinal: false), .collect(isFinal: true), .close])
    }

    @Test func aStopAnswersWhoeverWaitsAndRefusesWhoeverComesLater() throws {
        let (begun, release) = (try Gate(), try Gate())
        let hung = FakeSourceInstance { _ in
            begun.open()
            release.wait()
        }
        try bench.add(hung, bench.channel("a"))
        try bench.add("file", FakeSinkInstance())
        let (mailbox, signals) = (mailbox, bench.signals)
        let end = try run(after: begun) {
            let stopper = try? PluginThread(name: "stop") { signals.give(SIGTERM) }
            let change = RosterChange(leaving: ["a": .forGood], newcomers: [], grace: .seconds(60))
            // Begun and then interrupted, or refused: both are answers.
            _ = try? mailbox.submit(change)
            stopper?.join()
            #expect(throws: SondeError.self) { try mailbox.submit(change) }
            release.open()
        }
        #expect(end == .stopped)
    }
}
