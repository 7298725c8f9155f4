import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct CollectOnceTests {
    private let clock = ManualClock()
    private let log = RecordingLog()
    private let spool = MemorySpool(epoch: "epoch", maxBytes: 1 << 20, overflow: .dropOldest)
    private let pipeline: Pipeline
    private let ledger: LossLedger

    init() {
        ledger = LossLedger(log: log)
        pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock)
    }

    private var channel: SourceChannel {
        SourceChannel(
            id: "kernel",
            descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""), labels: [],
            host: "h", pipeline: pipeline, ledger: ledger, log: log, clock: clock)
    }

    private func gauge(_ name: String, _ channel: SourceChannel) -> UInt64 {
        channel.openSeries(SeriesSpecification(name: name, kind: .gauge, unit: "1", attributes: []))
    }

    @Test func theNewestPointOfEachSeriesIsToldAlsoOfThoseThatAreNotReadEveryTime() throws {
        let once = CollectOnce(spool: spool, pipeline: pipeline)
        spool.resource = Resource(host: "h")
        let channel = channel
        let (often, seldom) = (gauge("test.often", channel), gauge("test.seldom", channel))
        let first = [Sample(series: often, value: .signed(1)), Sample(series: seldom, value: .signed(7))]
        _ = channel.commit(first, checkpoint: nil, rejections: [])
        clock.advance(by: .seconds(1))
        let late = gauge("test.late", channel)
        let second = [Sample(series: late, value: .signed(9)), Sample(series: often, value: .signed(2))]
        _ = channel.commit(second, checkpoint: nil, rejections: [])
        let batch = try #require(once.newest())
        let told = batch.entries.map { "\(batch.series[$0.seriesIndex].name) \($0.point.value)" }
        #expect(told == ["test.often signed(2)", "test.seldom signed(7)", "test.late signed(9)"])
        #expect(batch.resource.host == "h")
    }

    @Test func nothingCameOfASourceThatToldNothing() {
        #expect(CollectOnce(spool: spool, pipeline: pipeline).newest() == nil)
    }
}
