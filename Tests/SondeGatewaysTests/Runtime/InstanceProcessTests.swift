import Glibc
import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Synchronization
import Testing

/// Instances that have a process to themselves: what the runtime does with them that it cannot do with its own threads.
@Suite struct InstanceProcessTests {
    private let bench: RuntimeBench

    init() throws {
        bench = try RuntimeBench()
        try bench.add("file", FakeSinkInstance())
    }

    /// Runs the agent, and `body` beside it once `begun` is open.
    private func run(
        after begun: Gate, grace: Nanoseconds = .seconds(5), mailbox: RosterMailbox? = nil,
        _ body: @escaping @Sendable () -> Void
    ) throws -> AgentRuntime.End {
        let signals = bench.signals
        let thread = try PluginThread(name: "beside") {
            #expect(begun.wait())
            body()
            signals.give(SIGTERM)
        }
        defer { thread.join() }
        return try bench.run(grace: grace, mailbox: mailbox)
    }

    @Test func aProcessThatEndsBetweenCollectionsIsStartedAgain() throws {
        let (begun, again) = (try Gate(), try Gate())
        let calls = Mutex(0)
        let source = ForkedSource(waits: false) {
            let number = calls.withLock { number in
                number += 1
                return number
            }
            (number == 1 ? begun : again).open()
        }
        // The next collection is an hour away: only the end of the process can be what brings it here.
        try bench.add(bench.makeSource(source, bench.channel("a")))
        let sleeper = source.sleeper
        let log = bench.log
        let end = try run(after: begun) {
            sleeper.kill()
            #expect(again.wait())
        }
        #expect(end == .stopped)
        #expect(log.lines(.error).map(\.error?.code) == [ForkedSource.Sleeper.ended.code])
    }

    @Test func aCallThatHangsIsEndedWithItsProcess() throws {
        let (begun, again) = (try Gate(), try Gate())
        let calls = Mutex(0)
        let source = ForkedSource(waits: true) {
            let number = calls.withLock { number in
                number += 1
                return number
            }
            (number == 1 ? begun : again).open()
        }
        try bench.add(bench.makeSource(source, bench.channel("a"), interval: .milliseconds(100)))
        let end = try run(after: begun) { #expect(again.wait()) }
        #expect(end == .stopped)
        #expect(source.sleeper.starts >= 2)
        #expect(bench.log.lines(.error).first?.error?.code == .callHangs)
        #expect(bench.log.lines(.error).contains { $0.error?.code == ForkedSource.Sleeper.ended.code })
    }

    @Test func anAgentThatStopsEndsAProcessThatHearsNothing() throws {
        let begun = try Gate()
        let source = ForkedSource(waits: true, isDeaf: true) { begun.open() }
        try bench.add(bench.makeSource(source, bench.channel("a")))
        #expect(try run(after: begun, grace: .milliseconds(100)) {} == .stopped)
    }

    @Test func aReloadEndsAProcessThatHearsNothing() throws {
        let begun = try Gate()
        let mailbox = RosterMailbox()
        let source = ForkedSource(waits: true, isDeaf: true) { begun.open() }
        try bench.add(bench.makeSource(source, bench.channel("a")))
        try bench.add(FakeSourceInstance(), bench.channel("b"))
        let end = try run(after: begun, mailbox: mailbox) {
            let change = RosterChange(leaving: ["a": .forGood], newcomers: [], grace: .milliseconds(100))
            #expect((try? mailbox.submit(change)) == [])
        }
        #expect(end == .stopped)
    }
}
