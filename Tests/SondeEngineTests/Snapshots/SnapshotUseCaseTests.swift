import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct SnapshotUseCaseTests {
    private let clock = ManualClock()
    private let book = SnapshotBook()
    private let ledger = LossLedger(log: RecordingLog())
    private let board: StatusBoard

    init() {
        let facts = AgentFacts(
            version: "1", processID: 1, id: "a", host: "h", configurationPath: nil,
            spool: AgentFacts.Spool(
                kind: .memory, maxBytes: 1, overflow: .dropOldest, epoch: "e", failure: nil))
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        board = StatusBoard(facts: facts, spool: spool, ledger: ledger, clock: clock)
    }

    private var current: CurrentSnapshot {
        let build = BuildSnapshot(
            book: book, failures: ListFailures(board: board), ledger: ledger, host: "h", clock: clock)
        return CurrentSnapshot(build, book: book, clock: clock)
    }

    private func tell(_ value: Double) {
        clock.advance(by: .seconds(1))
        let series = HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel")
        let observation = HistoryObservation(.held(value, peak: nil), at: clock.wallTime, held: .seconds(1))
        book.take(
            [.init(series: series, rank: .further, observation: observation)], [], of: "kernel", time: clock.wallTime,
            at: clock.monotonicTime)
    }

    @Test func aSnapshotTellsWhatIsBrokenAndWhatWasLost() {
        let entry = board.add(id: "central", plugin: "http", kind: .sink)
        entry.update { status in
            status.fail(.fake(.transient, code: "SND-CRL003"), at: clock.monotonicTime)
            status.enter(.backingOff, at: clock.monotonicTime, until: clock.monotonicTime.advanced(by: .seconds(9)))
        }
        let store = InMemoryHistoryStore(units: 1)
        store.fail(with: .fake(.resource, code: "SND-HIS002"))
        let record = RecordHistory(store: store, clock: clock, log: RecordingLog())
        let series = HistorySeries(.agentMemory, source: "agent")
        let reading = HistoryObservation(.held(1, peak: nil), at: clock.wallTime, held: .zero)
        record.take([.init(series: series, rank: .standard, observation: reading)])
        _ = record.commit()
        board.watch(storage: { record.failures })
        ledger.record(Loss(reason: "kernel_drop", component: "wire", count: 7))
        let snapshot = current().snapshot
        #expect(snapshot.failures.map(\.code.text) == ["SND-HIS002", "SND-CRL003"])
        #expect(snapshot.failures.map(\.instance) == ["agent", "central"])
        #expect(snapshot.failures.map(\.actions) == [[], [.retryNow]])
        #expect(snapshot.failures.last?.nextAttempt?.nanoseconds == clock.wallTime.nanoseconds + 9_000_000_000)
        #expect(snapshot.losses.map(\.count) == [7])
        #expect(snapshot.bandwidth == nil)
    }

    @Test func allWhoAskAtOnceGetTheSameSnapshotUntilSomethingIsNew() {
        let current = current
        tell(5)
        let first = current()
        clock.advance(by: .milliseconds(50))
        #expect(current().snapshot.time == first.snapshot.time)
        clock.advance(by: .milliseconds(60))
        #expect(current().snapshot.time > first.snapshot.time)
        tell(6)
        #expect(current().snapshot.bandwidth?.interfaces["eth0"]?.receive.current == 6)
        #expect(current().version > first.version)
    }

    @Test func whoWaitsForNewsIsWokenOnceAndNotTooSoon() {
        tell(1)
        let (wakeup, soon) = (RecordingWakeup(), clock.monotonicTime.advanced(by: .milliseconds(100)))
        book.wake(wakeup, since: book.version, notBefore: soon)
        #expect(wakeup.instants == [])
        tell(2)
        tell(3)
        #expect(wakeup.instants == [soon])
        book.wake(wakeup, since: book.version &- 1, notBefore: soon)
        #expect(wakeup.instants == [soon, soon])
        book.wake(wakeup, since: book.version, notBefore: soon)
        book.stopWaking()
        tell(4)
        #expect(wakeup.instants == [soon, soon])
    }

    /// Lets a capture and a log tell of an interval, in which so many queries a second came to a resolver.
    private func tellQueries(wire: Double, log: Double, resolver: NameServer? = NameServer("10.0.0.1", port: 53)) {
        clock.advance(by: .seconds(1))
        let held = Nanoseconds.seconds(1)
        let asked = SnapshotFact.serverQueries(NameServer("10.0.0.1", port: 53))
        let told: [SourceWindow.FactReading] = [.init(.logQueries(isEncrypted: false), value: log, held: held)]
        let facts: [(String, Double, [SourceWindow.FactReading])] = [
            ("log", log, told + (resolver.map { [.init(.resolver($0), value: 1, held: .zero)] } ?? [])),
            ("wire", wire, [.init(asked, value: wire, held: held)]),
        ]
        for (source, rate, facts) in facts {
            let observation = HistoryObservation(.held(rate, peak: nil), at: clock.wallTime, held: held)
            book.take(
                [.init(series: HistorySeries(.dnsQueries, source: source), rank: .standard, observation: observation)],
                facts, of: source, time: clock.wallTime, at: clock.monotonicTime)
        }
    }

    @Test func whatTheLogHasLostIsTheCauseOfMoreOnTheWire() throws {
        tellQueries(wire: 20, log: 10)
        tellQueries(wire: 20, log: 10)
        #expect(current().snapshot.dns?.coverage == Snapshot.Coverage(ratio: 2, cause: .logLevel))
        ledger.record(Loss(reason: "log_rotated_away", component: "wire", count: 10))
        clock.advance(by: .seconds(1))
        #expect(current().snapshot.dns?.coverage?.cause == .logLevel)
        ledger.record(Loss(reason: "log_rotated_away", component: "log", count: 10))
        clock.advance(by: .seconds(1))
        #expect(current().snapshot.dns?.coverage?.cause == .lostLines)
    }

    @Test func whatWasLostBeforeTheWindowIsNoCause() {
        ledger.record(
            Loss(reason: "log_rotated_away", component: "log", from: clock.wallTime, to: clock.wallTime, count: 10))
        clock.advance(by: .seconds(3_601))
        tellQueries(wire: 20, log: 10)
        tellQueries(wire: 20, log: 10)
        #expect(current().snapshot.dns?.coverage?.cause == .logLevel)
    }

    @Test func withoutTheResolversAddressNothingIsCompared() {
        tellQueries(wire: 10, log: 10, resolver: nil)
        tellQueries(wire: 10, log: 10, resolver: nil)
        #expect(current().snapshot.dns?.coverage == Snapshot.Coverage(ratio: nil, cause: .resolverUnknown))
    }

    @Test func whoeverIsToldToTryAgainIsWokenOnce() {
        let (retry, wakeup) = (RetryNow(), RecordingWakeup())
        let request = retry.add("central", wakeup: wakeup)
        #expect(!retry("nobody"))
        #expect(wakeup.instants.isEmpty)
        #expect(retry("central"))
        #expect(wakeup.instants.count == 1)
        _ = request
    }

    @Test func whatASourceThatIsGoneHasToldIsGone() {
        tell(5)
        #expect(current().snapshot.bandwidth != nil)
        let version = book.version
        book.forget(source: "kernel")
        #expect(book.version > version)
        #expect(current().snapshot.bandwidth == nil)
        let later = book.version
        book.forget(source: "kernel")
        #expect(book.version == later)
    }
}
