import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

/// What commits of a source keep in memory.
@Suite struct SourceChannelMemoryTests {
    private let bench = PipelineBench()

    @Test func aShortCommitTakesNoMoreMemoryThanItNeeds() {
        let spool = KeepingSpool()
        let pipeline = Pipeline(spool: spool, ledger: bench.ledger, clock: bench.clock)
        let channel = SourceChannel(
            id: "kernel",
            descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: "", sees: [.kernel]),
            labels: [], host: nil, pipeline: pipeline, ledger: bench.ledger, log: bench.log, clock: bench.clock)
        let handle = channel.openSeries(
            SeriesSpecification(name: "test.gauge", kind: .gauge, unit: "1", attributes: []))
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
