import SondeDomain
import SondeTestKit

@testable import SondeEngine

/// A pipeline into memory that holds commits while its wall clock is suspect.
struct ClockBench {
    static let release = Timestamp(seconds: 1_793_491_200)

    let clock: ManualClock
    let log = RecordingLog()
    let spool: MemorySpool
    let ledger: LossLedger
    let hold: ClockHold
    let pipeline: Pipeline
    private let wants: SendContent

    init(
        wall: Timestamp,
        boot: Nanoseconds,
        recorded: Timestamp?,
        isSynchronized: Bool? = nil,
        maxBytes: Int64 = 64 << 20,
        overflow: AgentSettings.OverflowPolicy = .dropOldest,
        wants: SendContent = .metrics,
        whenRight: @escaping @Sendable () -> Void = {}
    ) {
        clock = ManualClock(wall: wall, monotonic: MonotonicInstant(nanoseconds: boot.value))
        clock.isSynchronized = isSynchronized
        self.wants = wants
        ledger = LossLedger(log: log)
        spool = MemorySpool(epoch: "epoch", maxBytes: maxBytes, overflow: overflow)
        hold = ClockHold(
            release: Self.release, recorded: recorded, clock: clock, ledger: ledger, log: log, whenRight: whenRight)
        pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock, hold: hold)
        spool.addReader("sink", .durable, wants: wants)
        pipeline.add(
            DeliveryGate(
                sink: "sink", wants: wants, wait: .seconds(1), maxCount: 1_000, maxBytes: 1 << 20,
                wakeup: RecordingWakeup()))
    }

    func channel(_ id: String = "kernel", history: RecordHistory? = nil) -> SourceChannel {
        SourceChannel(
            id: id,
            descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: "", sees: [.kernel]),
            labels: [],
            host: nil,
            pipeline: pipeline,
            ledger: ledger,
            log: log,
            clock: clock,
            listeners: .init(history: history)
        )
    }

    func commit(_ channel: SourceChannel, _ series: UInt64, _ value: UInt64) -> CommitResult {
        channel.commit([Sample(series: series, value: .unsigned(value))], checkpoint: nil, rejections: [])
    }

    /// Everything that waits for the sink; it still waits after that.
    private var waiting: SpoolContents { spool.read(Stretch(first: 1, last: .max - 1), for: "sink") }

    func points() -> [SpooledPoint] { Array(waiting.points) }

    func documents() -> [Document] { waiting.documents }

    /// Takes what waits for the sink.
    func take() -> [SampleValue] {
        guard let stretch = spool.cut(for: "sink", maxCount: .max, maxBytes: .max) else { return [] }
        defer { spool.acknowledge(stretch, for: "sink") }
        return spool.read(stretch, for: "sink").points.map(\.value)
    }
}

extension ManualClock {
    /// Sets only the wall clock.
    func stepWall(to time: Timestamp) {
        stepWall(by: Nanoseconds(time.nanoseconds - wallTime.nanoseconds))
    }
}
