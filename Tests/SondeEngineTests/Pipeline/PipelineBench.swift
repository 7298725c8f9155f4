import SondeDomain
import SondeEngine
import SondeTestKit

/// A pipeline into memory with one durable sink that does not read.
struct PipelineBench {
    let clock = ManualClock()
    let log = RecordingLog()
    let wakeup = RecordingWakeup()
    let spool: MemorySpool
    let ledger: LossLedger
    let pipeline: Pipeline

    init(
        maxBytes: Int64 = 64 << 20,
        overflow: AgentSettings.OverflowPolicy = .dropOldest,
        wants: SendContent = .metrics
    ) {
        spool = MemorySpool(epoch: "epoch", maxBytes: maxBytes, overflow: overflow)
        ledger = LossLedger(log: log)
        pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock)
        spool.addReader("sink", .durable, wants: wants)
        pipeline.add(
            DeliveryGate(
                sink: "sink", wants: wants, wait: .seconds(1), maxCount: 1_000, maxBytes: 1 << 20, wakeup: wakeup))
    }

    func channel(
        catalog: [String] = ["test.gauge"],
        sees: Set<PluginDescriptor.View> = [.kernel, .wire, .log],
        seriesLimit: Int = SourceChannel.seriesBound,
        book: SnapshotBook? = nil,
        history: RecordHistory? = nil,
        updates: SeriesUpdates? = nil
    ) -> SourceChannel {
        SourceChannel(
            id: "kernel",
            descriptor: PluginDescriptor(
                name: "fake", kind: .source, version: "1", summary: "",
                metrics: catalog.map { MetricDefinition($0, .gauge, unit: "1", meaning: "") },
                sees: sees),
            labels: [],
            host: nil,
            pipeline: pipeline,
            ledger: ledger,
            log: log,
            clock: clock,
            seriesLimit: seriesLimit,
            listeners: .init(history: history, book: book, updates: updates)
        )
    }

    /// Everything that waits for the sink; it waits still after that.
    private func waiting() -> SpoolContents {
        spool.read(Stretch(first: 1, last: .max - 1), for: "sink")
    }

    func points() -> [SpooledPoint] { Array(waiting().points) }

    func documents() -> [Document] { waiting().documents }
}
