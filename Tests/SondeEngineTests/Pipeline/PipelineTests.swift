import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

@Suite struct PipelineTests {
    private let bench = PipelineBench()

    /// A log that knows a series which the run before left without an end.
    private final class LogWithUnended: ForwardingSpool {
        let log = MemorySpool(epoch: "epoch", maxBytes: 2_000, overflow: .dropNewest)
        private let unended: Mutex<[Series]>

        init(
            _ unended: Series = Series(id: SeriesID(rawValue: 9), source: "gone", name: "old", kind: .gauge, unit: "1")
        ) {
            self.unended = Mutex([unended])
        }

        func takeUnended(of source: String?) -> [Series] {
            guard source == nil || source == AgentCatalog.source else { return [] }
            return unended.withLock { unended in
                defer { unended = [] }
                return unended
            }
        }
    }

    @Test func endsThatAFullLogRefusesAtTheStartComeWithTheNextCommit() throws {
        let spool = LogWithUnended()
        spool.addReader("sink", .durable, wants: .metrics)
        let pipeline = Pipeline(spool: spool, ledger: bench.ledger, clock: bench.clock)
        while pipeline.submit([.numbered(1)], documents: []) == .taken {}
        pipeline.endUnclaimedSeries()
        let stretch = try #require(spool.cut(for: "sink", maxCount: .max, maxBytes: .max))
        #expect(spool.read(stretch, for: "sink").points.allSatisfy { !$0.value.isEnd })
        spool.acknowledge(stretch, for: "sink")
        for _ in 0..<2 { #expect(pipeline.submit([.numbered(2)], documents: []) == .taken) }
        let rest = try #require(spool.cut(for: "sink", maxCount: .max, maxBytes: .max))
        #expect(spool.read(rest, for: "sink").points.map(\.value) == [.unsigned(2), .ended, .unsigned(2)])
    }

    @Test func aLossOfTheStartIsNotInTheMillisecondInWhichItsSeriesOfTheRunBeforeEnds() throws {
        let killed = Loss(.agentKilled, component: AgentCatalog.source)
        let before = LossLedger(log: RecordingLog())
        before.record(killed)
        let entry = try #require(before.takeChanged().first)
        let start = Timestamp(seconds: 1)
        let old = LossSeries(start: start).points(of: entry, now: start) { $0.numbered(SeriesID(rawValue: 9)) }
        let spool = LogWithUnended(try #require(old.first).series)
        spool.addReader("sink", .durable, wants: .metrics)
        let pipeline = Pipeline(
            spool: spool, ledger: bench.ledger, clock: bench.clock, lossSeries: LossSeries(start: start))
        bench.ledger.record(killed)
        #expect(pipeline.takeUnended(of: AgentCatalog.source).isEmpty)
        pipeline.endUnclaimedSeries()
        let stretch = try #require(spool.cut(for: "sink", maxCount: .max, maxBytes: .max))
        let points = spool.read(stretch, for: "sink").points
        #expect(points.map(\.value) == [.ended, .unsigned(1)])
        #expect(points.map(\.series.id) == [SeriesID(rawValue: 9), SeriesID(rawValue: 9)])
        let times = points.map { $0.time.nanoseconds / 1_000_000 }
        #expect(times == [times[0], times[0] + 1])
    }

    @Test func aSinkThatWasRemovedIsNotWokenAndWantsNothing() {
        let gate = DeliveryGate(
            sink: "console", wants: .snapshots, wait: .seconds(1), maxCount: 1, maxBytes: 1, wakeup: bench.wakeup)
        bench.spool.addReader("console", .live, wants: .snapshots)
        bench.pipeline.add(gate)
        gate.becomeIdle()
        #expect(bench.pipeline.wantsSnapshots)
        bench.pipeline.remove(gate)
        #expect(!bench.pipeline.wantsSnapshots)
        let document = Document(schema: "sonde.snapshot/1", time: Timestamp(seconds: 1), json: [0x7b, 0x7d])
        #expect(bench.pipeline.submit([], documents: [document]) == .taken)
        #expect(bench.wakeup.instants.isEmpty)
        #expect(bench.spool.backlog(of: "console").count == 1)
    }
}
