import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct StatusBoardTests {
    private struct SilentLog: EventLog {
        func log(_ level: LogLevel, _ message: String, component: String?) {}
        func log(_ level: LogLevel, _ error: SondeError) {}
    }

    private let clock = ManualClock()
    private let spool = MemorySpool(epoch: "epoch-1", maxBytes: 1 << 20, overflow: .dropOldest)
    private let ledger = LossLedger(log: SilentLog())

    private func board() -> StatusBoard {
        let facts = AgentFacts(
            version: "1.2.3", processID: 7, id: "agent-1", host: "h", configurationPath: "/etc/sonde.yaml",
            spool: AgentFacts.Spool(kind: .memory, maxBytes: 1 << 20, overflow: .dropOldest, epoch: "epoch-1"))
        return StatusBoard(facts: facts, spool: spool, ledger: ledger, clock: clock)
    }

    private func point(_ name: String) -> SpooledPoint {
        let series = Series(
            id: SeriesID(rawValue: 1), source: "kernel", name: name, kind: .gauge, unit: "1", attributes: [], labels: []
        )
        return SpooledPoint(series: series, time: clock.wallTime, start: nil, value: .signed(1))
    }

    @Test func sourcesComeBeforeSinksInTheOrderTheyWereAdded() {
        let board = board()
        _ = board.add(id: "out", plugin: "file", kind: .sink)
        _ = board.add(id: "b", plugin: "procnet", kind: .source)
        _ = board.add(id: "a", plugin: "procnet", kind: .source)
        #expect(board.status.instances.map(\.status.id) == ["b", "a", "out"])
    }

    @Test func theRemoteConfigurationAndTheLimitsAreShownWhereThereAreSome() {
        let board = board()
        _ = board.add(id: "out", plugin: "file", kind: .sink)
        #expect(board.status.remote == nil && board.status.limits == nil)
        let (_, follow) = RemoteBench().start()
        board.watch(remote: { follow.status })
        let limits = LimitStatus(
            limits: ResourceLimits(processors: 0.02), level: 1, ladder: [1, 2], since: clock.monotonicTime)
        board.watch(limits: { limits })
        #expect(board.status.remote?.url == "https://h/fleet")
        #expect(board.status.limits == limits)
        #expect(board.statuses.map(\.id) == ["out"])
    }

    @Test func oneLineNamesEightThatFail() {
        let board = board()
        _ = board.add(id: "good", plugin: "procnet", kind: .source)
        #expect(board.line == "1 of 1 sources and sinks work")
        for number in 0..<40 {
            let id = String(repeating: "n", count: 60) + "\(10 + number)"
            let entry = board.add(id: id, plugin: "file", kind: .sink)
            entry.update { $0.fail(.fake(.transient), at: clock.monotonicTime) }
        }
        let names = (10..<18).map { String(repeating: "n", count: 60) + "\($0) (FAKE-001)" }
        #expect(
            board.line == "1 of 41 sources and sinks work; failing: \(names.joined(separator: ", ")) and 32 more")
        #expect(board.line.utf8.count < 1_024)
    }

    @Test func aReloadPutsInstancesInThePlaceOfOthersAndInTheOrderOfItsFile() {
        let board = board()
        let first = board.add(id: "a", plugin: "procnet", kind: .source)
        _ = board.add(id: "b", plugin: "procnet", kind: .source)
        board.admit(StatusEntry(id: "a", plugin: "pcap", kind: .source, at: clock.monotonicTime))
        // The one that leaves is gone already.
        board.dismiss(first)
        #expect(board.status.instances.map(\.status.plugin) == ["pcap", "procnet"])
        board.arrange(["b", "a"])
        _ = board.add(id: "c", plugin: "dnslog", kind: .source)
        #expect(board.status.instances.map(\.status.id) == ["b", "a", "c"])
    }

    @Test func anInstanceThatLeavesIsShownNoLonger() {
        let board = board()
        let entry = board.add(id: "a", plugin: "procnet", kind: .source)
        board.dismiss(entry)
        #expect(board.status.instances.isEmpty)
    }

    @Test func whoIsHeldIsToldFromWhoIsTriedAgainByItself() {
        let board = board()
        let (held, waiting) = (
            board.add(id: "a", plugin: "file", kind: .sink), board.add(id: "b", plugin: "http", kind: .sink)
        )
        held.update { $0.enter(.held, at: clock.monotonicTime) }
        waiting.update { $0.enter(.backingOff, at: clock.monotonicTime) }
        #expect(board.isHeld("a") && !board.isHeld("b") && !board.isHeld("nobody"))
    }

    @Test func whatIsWrongWithTheAgentIsOnTheBoard() throws {
        let board = board()
        var status = InstanceStatus(id: "agent", plugin: "", kind: .source, at: clock.monotonicTime)
        status.fail(.fake(.configuration, code: "SND-RUN007"), at: clock.monotonicTime)
        let failure = try #require(status.failure)
        board.watch(agent: { [failure] })
        #expect(board.status.agentFailures == [failure])
        #expect(ListFailures(board: board)().map(\.actions) == [[.reconfigure]])
    }

    @Test func whatAThreadPublishesIsOnTheBoard() {
        let board = board()
        let entry = board.add(id: "kernel", plugin: "procnet", kind: .source)
        entry.update { $0.enter(.running, at: clock.monotonicTime) }
        #expect(board.status.instances.first?.status.state == .running)
    }

    @Test func aSinkShowsWhatWaitsForItAndASourceHasNoQueue() {
        let board = board()
        _ = board.add(id: "kernel", plugin: "procnet", kind: .source)
        _ = board.add(id: "out", plugin: "file", kind: .sink)
        spool.addReader("out", .durable, wants: .metrics)
        let appended = clock.monotonicTime
        _ = spool.append([point("a"), point("b")], documents: [], at: appended)
        clock.advance(by: .seconds(5))
        let status = board.status
        #expect(status.instances[0].backlog == nil)
        #expect(status.instances[1].backlog?.count == 2)
        #expect((status.instances[1].backlog?.bytes ?? 0) > 0)
        #expect(status.instances[1].backlog?.oldest == appended)
    }

    @Test func aLogInMemoryThatShouldBeOnDiskIsAFailureFromTheStart() {
        let failure = SondeError.fake(.unsafeStorage, code: "SND-A")
        let facts = AgentFacts(
            version: "1.2.3", processID: 7, id: "agent-1", host: "h", configurationPath: nil,
            spool: AgentFacts.Spool(
                kind: .memory, maxBytes: 1 << 20, overflow: .dropOldest, epoch: "epoch-1", failure: failure))
        let started = clock.monotonicTime
        let board = StatusBoard(facts: facts, spool: spool, ledger: ledger, clock: clock)
        clock.advance(by: .seconds(9))
        #expect(board.status.storageFailures.map(\.error) == [failure])
        #expect(board.status.storageFailures.map(\.since) == [started])
    }

    @Test func everythingThatWasLostIsOnTheBoard() {
        let board = board()
        ledger.record(Loss(reason: "kernel_drop", component: "wire", count: 3))
        ledger.record(Loss(reason: "kernel_drop", component: "wire", count: 4))
        #expect(board.status.losses.map(\.count) == [7])
    }

    @Test func instantsAreToldOnTheWallClockAsItIsSetNow() {
        let began = ClockReading(clock)
        clock.advance(by: .seconds(60))
        clock.stepWall(by: .seconds(3_600))
        let now = ClockReading(clock)
        #expect(now.wallTime(of: began.monotonic) == Timestamp(nanoseconds: began.wall.nanoseconds + 3_600_000_000_000))
        #expect(
            now.wallTime(of: now.monotonic.advanced(by: .seconds(9))).nanoseconds - now.wall.nanoseconds
                == 9_000_000_000)
    }

    @Test func anInstantBeyondTheClockIsClamped() {
        let now = ClockReading(clock)
        #expect(now.wallTime(of: .distantFuture) == Timestamp(nanoseconds: .max))
    }
}
