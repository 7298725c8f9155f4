import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// The ledger as data.
@Suite struct LossSeriesTests {
    private let clock = ManualClock()
    private let spool = MemorySpool(epoch: "epoch", maxBytes: 1 << 20, overflow: .dropOldest)
    private let ledger = LossLedger(log: RecordingLog())

    private func pipeline() -> Pipeline {
        spool.addReader("sink", .durable, wants: .metrics)
        let series = LossSeries(start: Timestamp(seconds: 1))
        return Pipeline(spool: spool, ledger: ledger, clock: clock, lossSeries: series)
    }

    private func shipped(by pipeline: Pipeline) -> [SpooledPoint] {
        #expect(pipeline.submit([], documents: []) == .taken)
        guard let stretch = spool.cut(for: "sink", maxCount: 100, maxBytes: .max) else { return [] }
        defer { spool.acknowledge(stretch, for: "sink") }
        return Array(spool.read(stretch, for: "sink").points)
    }

    @Test func aLossTravelsWithTheNextCommit() throws {
        let pipeline = pipeline()
        ledger.record(Loss(reason: "kernel_drop", component: "wire", to: Timestamp(seconds: 9), count: 7))
        let points = shipped(by: pipeline)
        #expect(points.map(\.series.name) == ["sonde.loss.report.count", "sonde.loss.count"])
        #expect(points.map(\.value) == [.unsigned(1), .unsigned(7)])
        #expect(points.allSatisfy { $0.time == clock.wallTime && $0.start == Timestamp(seconds: 1) })
        let series = try #require(points.first?.series)
        #expect(series.attribute("sonde.component") == "wire")
        #expect(series.attribute("sonde.loss.reason") == "kernel_drop")
        #expect(series.labels.isEmpty)
    }

    /// A receiver refuses what is of its time, in the future after a jump of the clock or too old.
    @Test func aLossIsOfTheTimeAtWhichItIsReported() {
        let pipeline = pipeline()
        for _ in 0..<3 {
            clock.advance(by: .seconds(1))
            ledger.record(Loss(reason: "r", component: "c", to: clock.wallTime.advanced(by: .seconds(3_600)), count: 1))
            #expect(shipped(by: pipeline).map(\.time) == [clock.wallTime, clock.wallTime])
        }
    }

    @Test func countsAreCumulativeAndSeriesStayTheSame() {
        let pipeline = pipeline()
        ledger.record(Loss(reason: "r", component: "c", count: 7))
        let first = shipped(by: pipeline)
        ledger.record(Loss(reason: "r", component: "c", count: 5))
        let second = shipped(by: pipeline)
        #expect(second.map(\.value) == [.unsigned(2), .unsigned(12)])
        #expect(second.map(\.series.id) == first.map(\.series.id))
        #expect(shipped(by: pipeline).isEmpty)
    }

    @Test func anUnknownAmountIsLeftOut() {
        let pipeline = pipeline()
        ledger.record(Loss(reason: "r", component: "c"))
        #expect(shipped(by: pipeline).map(\.series.name) == ["sonde.loss.report.count"])
    }

    @Test func whatTheLogRefusesIsShippedLater() {
        let full = MemorySpool(epoch: "epoch", maxBytes: 300, overflow: .dropNewest)
        full.addReader("sink", .durable, wants: .metrics)
        let gauge = Series(id: SeriesID(rawValue: 900), source: "kernel", name: "g", kind: .gauge, unit: "")
        let point = SpooledPoint(series: gauge, time: Timestamp(seconds: 1), start: nil, value: .unsigned(1))
        _ = full.append([point, point], documents: [], at: clock.monotonicTime)
        let series = LossSeries(start: Timestamp(seconds: 1))
        let pipeline = Pipeline(spool: full, ledger: ledger, clock: clock, lossSeries: series)
        ledger.record(Loss(reason: "r", component: "c", count: 1))
        #expect(pipeline.submit([], documents: []) == .busy)
        #expect(ledger.takeChanged().count == 1)
    }
}
