import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

/// What a snapshot knows after a restart.
@Suite struct RestoreSnapshotsTests {
    private let clock = ManualClock(monotonic: MonotonicInstant(nanoseconds: 20_000_000_000))
    private let store = InMemoryHistoryStore(units: 8)
    private let eth0 = HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel")

    /// Lets an agent read one value for as long, every ten seconds, and write it down every minute.
    private func run(_ value: Double, for seconds: Int64, of series: HistorySeries? = nil, killed: Bool = false) {
        let record = RecordHistory(store: store, clock: clock, log: RecordingLog())
        var next = record.commit()
        for _ in 0..<(seconds / 10) {
            clock.advance(by: .seconds(10))
            let observation = HistoryObservation(.held(value, peak: value * 3), at: clock.wallTime, held: .seconds(10))
            record.take([.init(series: series ?? eth0, rank: .further, observation: observation)])
            if clock.monotonicTime >= next { next = record.commit() }
        }
        if !killed { _ = record.commit() }
    }

    private func restore(
        _ book: SnapshotBook,
        _ log: RecordingLog = RecordingLog(),
        sources: [String] = ["kernel"]
    ) -> RestoreSnapshots {
        RestoreSnapshots(store, into: book, sources: sources, clock: clock, log: log)
    }

    private func snapshot(_ book: SnapshotBook) -> Snapshot {
        let facts = AgentFacts(
            version: "1", processID: 1, id: "a", host: "h", configurationPath: nil,
            spool: AgentFacts.Spool(kind: .memory, maxBytes: 1, overflow: .dropOldest, epoch: "e", failure: nil))
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        let ledger = LossLedger(log: RecordingLog())
        let board = StatusBoard(facts: facts, spool: spool, ledger: ledger, clock: clock)
        return BuildSnapshot(
            book: book, failures: ListFailures(board: board), ledger: ledger, host: "h", clock: clock)()
    }

    @Test func theWindowGoesOnAfterARestart() throws {
        run(300, for: 1_800)
        let book = SnapshotBook()
        let restore = restore(book)
        restore()
        // Once is enough.
        restore()
        clock.advance(by: .seconds(600))
        let bandwidth = try #require(snapshot(book).bandwidth)
        #expect(bandwidth.interfaces["eth0"]?.receive == CurrentAveragePeak(current: nil, average: 300, peak: 900))
        #expect(bandwidth.covered == .seconds(1_800))
        #expect(bandwidth.age == .seconds(600))
        #expect(bandwidth.source == "kernel")
    }

    @Test func aKillTakesTheLastMinuteAndTheSnapshotSaysSo() throws {
        run(300, for: 1_855, killed: true)
        let book = SnapshotBook()
        restore(book)()
        let covered = try #require(snapshot(book).bandwidth?.covered)
        #expect(covered >= .seconds(1_790) && covered < .seconds(1_855))
    }

    @Test func whatIsOlderThanTheWindowIsNotRestored() throws {
        run(9_000, for: 3_600)
        run(300, for: 1_800)
        let book = SnapshotBook()
        restore(book)()
        clock.advance(by: .seconds(1_900))
        let receive = try #require(snapshot(book).bandwidth?.interfaces["eth0"])
        #expect(receive.receive.peak == 900)
        #expect(receive.covered <= .seconds(1_800) && receive.covered > .seconds(1_600))
    }

    @Test func whatTheNewAgentReadsIsNotTakenTwice() throws {
        run(300, for: 600)
        let book = SnapshotBook()
        // The history cannot be read at first, and is meanwhile written to.
        store.fail(with: .fake(.transient))
        let log = RecordingLog()
        let restore = restore(book, log)
        restore()
        #expect(snapshot(book).bandwidth == nil)
        #expect(log.lines(.error).isEmpty)
        store.fail(with: nil)
        run(9_000, for: 600)
        restore()
        #expect(snapshot(book).bandwidth?.interfaces["eth0"]?.receive.peak == 900)
        #expect(snapshot(book).bandwidth?.covered == .seconds(600))
    }

    @Test func sourcesThatTheAgentDoesNotHaveAnyMoreAreLeftOut() {
        run(300, for: 600, of: HistorySeries(.bandwidthReceive, member: "eth0", source: "before"))
        let book = SnapshotBook()
        let version = book.version
        restore(book)()
        #expect(snapshot(book).bandwidth == nil)
        #expect(book.version == version)
    }

    @Test func aClockThatWasAheadLeavesNothingOfTheFuture() {
        clock.stepWall(by: .seconds(7_200))
        run(300, for: 600)
        clock.stepWall(by: .seconds(-7_200))
        let book = SnapshotBook()
        restore(book)()
        #expect(snapshot(book).bandwidth == nil)
    }
}
