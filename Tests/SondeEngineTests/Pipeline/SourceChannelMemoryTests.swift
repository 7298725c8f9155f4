import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

/// What commits of a source keep in memory.
@Suite struct SourceChannelMemoryTests {
    private let bench = PipelineBench()

    private func makeChannel(_ spool: KeepingSpool) -> SourceChannel {
        SourceChannel(
            id: "kernel",
            descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: "", sees: [.kernel]),
            labels: [], host: nil, pipeline: Pipeline(spool: spool, ledger: bench.ledger, clock: bench.clock),
            ledger: bench.ledger, log: bench.log, clock: bench.clock)
    }

    private func openSeries(_ name: String, of channel: SourceChannel) -> UInt64 {
        channel.openSeries(SeriesSpecification(name: name, kind: .gauge, unit: "1", attributes: []))
    }

    private func commit(_ handles: [UInt64], to channel: SourceChannel) {
        let samples = handles.map { Sample(series: $0, value: .unsigned(7)) }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
    }

    @Test func placesOfABurstOfSeriesAreGivenBack() {
        let spool = KeepingSpool()
        let channel = makeChannel(spool)
        let lasting = (0..<300).map { openSeries("test.lasting.\($0)", of: channel) }
        let burst = (0..<1_000).map { openSeries("test.burst.\($0)", of: channel) }
        commit(lasting + burst, to: channel)
        burst.forEach(channel.closeSeries)
        commit([], to: channel)

        // The lower bits of a handle are its place.
        let next = openSeries("test.next", of: channel)
        #expect(next & 0xFFFFF == 300)
        #expect(openSeries("test.lasting.299", of: channel) == lasting[299])

        commit(lasting + burst + [next], to: channel)
        let names = spool.kept.withLock { $0.last?.map(\.series.name) }
        #expect(names == (0..<300).map { "test.lasting.\($0)" } + ["test.next"])
    }

    @Test func aFewFreePlacesAreKept() {
        let channel = makeChannel(KeepingSpool())
        let handles = (0..<300).map { openSeries("test.series.\($0)", of: channel) }
        handles.suffix(256).forEach(channel.closeSeries)
        commit([], to: channel)
        #expect(openSeries("test.next", of: channel) & 0xFFFFF == 299)
    }

    @Test func placesBelowAnOpenSeriesAreKept() {
        let channel = makeChannel(KeepingSpool())
        let handles = (0..<1_000).map { openSeries("test.series.\($0)", of: channel) }
        handles.dropLast().forEach(channel.closeSeries)
        commit([], to: channel)
        #expect(openSeries("test.series.999", of: channel) == handles[999])
        // New ones go below it, so that those above become free.
        #expect(openSeries("test.next", of: channel) & 0xFFFFF == 0)
    }

    @Test func aShortCommitTakesNoMoreMemoryThanItNeeds() {
        let spool = KeepingSpool()
        let channel = makeChannel(spool)
        let handle = openSeries("test.gauge", of: channel)
        for count in [10_000, 1] {
            let samples = [Sample](repeating: Sample(series: handle, value: .unsigned(7)), count: count)
            #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        }
        #expect(spool.kept.withLock { $0.map(\.count) } == [10_000, 1])
        #expect(spool.kept.withLock { $0.last?.capacity ?? .max } < 16)
    }
}

/// A log that keeps what it was given.
private final class KeepingSpool: ForwardingSpool {
    let log = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest)
    let kept = Mutex<[[SpooledPoint]]>([])

    func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        kept.withLock { $0.append(points) }
        return log.append(points, documents: documents, checkpoint: checkpoint, at: time)
    }
}
