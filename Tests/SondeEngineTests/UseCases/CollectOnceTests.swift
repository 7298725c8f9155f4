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

    private func collector(_ source: FakeSourceInstance, _ channel: SourceChannel) -> CollectSource {
        CollectSource(
            configuration: SourceConfiguration(id: "kernel", plugin: "fake", interval: .seconds(10)), instance: source,
            channel: channel, log: log, observer: RecordingObserver(), cancelDescriptor: -1,
            random: SeededGenerator(seed: 1))
    }

    private var channel: SourceChannel {
        SourceChannel(
            id: "kernel",
            descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""), labels: [],
            host: "h", pipeline: pipeline, ledger: ledger, log: log, clock: clock)
    }

    @Test func onlyTheSecondCollectionIsTold() throws {
        let once = CollectOnce(spool: spool, pipeline: pipeline, host: "h")
        let channel = channel
        let clock = clock
        let source = FakeSourceInstance { _ in
            let series = channel.openSeries(
                SeriesSpecification(name: "test.gauge", kind: .gauge, unit: "1", attributes: []))
            let value = SampleValue.signed(clock.monotonicTime.nanoseconds)
            _ = channel.commit([Sample(series: series, value: value)], checkpoint: nil, rejections: [])
        }
        let began = clock.monotonicTime.nanoseconds
        let batch = once.run([collector(source, channel)]) { clock.advance(by: .seconds(1)) }
        #expect(source.collections == 2)
        #expect(batch?.entries.map(\.point.value) == [.signed(began + 1_000_000_000)])
        #expect(batch?.resource.host == "h")
    }

    @Test func aSourceThatTellsNothingTheSecondTimeHasNothing() {
        let once = CollectOnce(spool: spool, pipeline: pipeline, host: nil)
        let source = FakeSourceInstance()
        source.answerStarts([nil])
        source.answerCollections([nil, .fake(.transient)])
        #expect(once.run([collector(source, channel)]) {}?.entries.count == nil)
        #expect(source.collections == 2)
    }
}
