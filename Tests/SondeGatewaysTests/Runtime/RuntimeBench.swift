import Glibc
import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Synchronization

/// An agent of fake instances on real threads, stopped by signals that a test gives.
final class RuntimeBench {
    let log = RecordingLog()
    let clock = SystemClock()
    let signals: FakeSignalSource
    let spool = MemorySpool(epoch: "epoch", maxBytes: 16 << 20, overflow: .dropOldest)
    let ledger: LossLedger
    let pipeline: Pipeline
    private let leftovers: Leftovers
    private var sources: [SourceRunner] = []
    private var sinks: [SinkRunner] = []

    /// What sinks had to leave.
    final class Leftovers: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func add(_ sink: String, _ count: Int) { counts.withLock { $0[sink] = count } }

        var all: [String: Int] { counts.withLock { $0 } }
    }

    init() throws {
        signals = try FakeSignalSource()
        ledger = LossLedger(log: log)
        pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock)
        leftovers = Leftovers()
    }

    var leftover: [String: Int] { leftovers.all }

    /// The channel of a source that is added next.
    func channel(_ id: String) -> SourceChannel {
        SourceChannel(
            id: id, descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""), labels: [],
            host: nil, pipeline: pipeline, ledger: ledger, log: log, clock: clock)
    }

    func add(_ source: FakeSourceInstance, _ channel: SourceChannel, interval: Nanoseconds = .seconds(3_600)) throws {
        sources.append(try makeSource(source, channel, interval: interval))
    }

    func add(_ source: SourceRunner) {
        sources.append(source)
    }

    /// A source that is not of the agent yet.
    func makeSource(
        _ source: any SourceInstance,
        _ channel: SourceChannel,
        interval: Nanoseconds = .seconds(3_600),
        wish: InstanceControl.Wish = .work,
        membership: Membership = .none
    ) throws -> SourceRunner {
        let control = try InstanceControl(component: channel.id, log: log, wish: wish)
        let useCase = CollectSource(
            configuration: SourceConfiguration(id: channel.id, plugin: "fake", interval: interval), instance: source,
            channel: channel, log: log, observer: control.watch, cancelDescriptor: control.cancel.descriptor,
            random: SeededGenerator(seed: 1), ended: control.ended)
        return SourceRunner(
            id: channel.id, useCase: useCase, instance: source, control: control, membership: membership)
    }

    func add(
        _ id: String,
        _ sink: FakeSinkInstance,
        wait: Nanoseconds = .milliseconds(10),
        retryBase: Nanoseconds = .seconds(1)
    ) throws {
        let control = try InstanceControl(component: id, log: log)
        var configuration = SinkConfiguration(id: id, plugin: "fake")
        configuration.retry.base = retryBase
        let gate = DeliveryGate(
            sink: id, wants: .metrics, wait: wait, maxCount: configuration.batch.samples,
            maxBytes: configuration.batch.bytes, wakeup: control.timer)
        spool.addReader(id, .durable, wants: .metrics)
        pipeline.add(gate)
        let useCase = DeliverBatches(
            settings: DeliverBatches.Settings(configuration),
            agent: "agent", instance: sink, spool: spool, gate: gate, ledger: ledger, clock: clock, log: log,
            observer: control.watch,
            cancelDescriptor: control.cancel.descriptor, random: SeededGenerator(seed: 2))
        let leftovers = leftovers
        sinks.append(
            SinkRunner(id: id, useCase: useCase, instance: sink, control: control, clock: clock) {
                leftovers.add($0, $1)
            })
    }

    func run(grace: Nanoseconds = .seconds(20), mailbox: RosterMailbox? = nil) throws -> AgentRuntime.End {
        try AgentRuntime(
            sources: sources, sinks: sinks, pipeline: pipeline, grace: { grace }, mailbox: mailbox, signals: signals,
            clock: clock, log: log
        ).run()
    }
}

extension SourceChannel {
    /// Opens a gauge and commits a number to it.
    @discardableResult
    func commit(number: UInt64) -> CommitResult {
        let handle = openSeries(SeriesSpecification(name: "test.number", kind: .gauge, unit: "1"))
        return commit([Sample(series: handle, value: .unsigned(number))], checkpoint: nil, rejections: [])
    }
}

extension FakeSinkInstance {
    /// The numbers of everything that was accepted, in order.
    var deliveredNumbers: [UInt64] {
        delivered.flatMap(\.entries).compactMap {
            if case .unsigned(let number) = $0.point.value { number } else { nil }
        }
    }
}
