import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

@Suite struct ReportHealthTests {
    private let pipeline: PipelineBench
    private let board: StatusBoard
    private let store = InMemoryHistoryStore(units: 64)
    private let record: RecordHistory
    private let figures = SharedFigures()
    private let health: ReportHealth

    private var clock: ManualClock { pipeline.clock }

    init() {
        let bench = PipelineBench()
        let figures = figures
        pipeline = bench
        board = StatusBoard(
            facts: AgentFacts(
                version: "1", processID: 1, id: "a", host: "h", configurationPath: nil,
                spool: AgentFacts.Spool(kind: .memory, maxBytes: 1, overflow: .dropOldest, epoch: "e")),
            spool: bench.spool, ledger: bench.ledger, clock: bench.clock)
        record = RecordHistory(store: store, clock: bench.clock, log: bench.log)
        health = ReportHealth(
            ReportHealth.Facts(version: "1.2.3", configuration: "00ff"), AgentSettings(),
            on: ReportHealth.Dependencies(
                board: board, pipeline: bench.pipeline, ledger: bench.ledger, history: record
            ) { figures.value },
            clock: bench.clock, log: bench.log)
    }

    /// The contents of a report, by name and the attributes' values.
    private func reported(_ body: () -> Void) -> [String: SampleValue] {
        let before = pipeline.points().count
        let last = health.newest.map(\.time).max()
        body()
        let newest = health.newest.filter { point in last.map { point.time > $0 } ?? true }
        return Dictionary(
            (pipeline.points().dropFirst(before) + newest).map { point in
                let values = point.series.attributes.map(\.value).joined(separator: ",")
                return ("\(point.series.name){\(values)}", point.value)
            }
        ) { $1 }
    }

    private func next() -> [String: SampleValue] {
        clock.advance(by: .seconds(10))
        return reported { health() }
    }

    @Test func anAgentWithoutInstancesReportsWhatItKnowsOfItselfAndNothingElse() {
        let first = reported { health() }
        #expect(
            first == [
                "sonde.agent.build{1.2.3}": .unsigned(1), "sonde.agent.uptime{}": .double(0),
                "sonde.agent.configuration.generation{}": .unsigned(1),
                "sonde.agent.configuration.hash{00ff}": .unsigned(1), "sonde.agent.stopping{}": .unsigned(0),
            ])
        figures.set {
            $0.memory = 9_000_000
            $0.userSeconds = 1.5
            $0.systemSeconds = 0.5
            $0.descriptors = 30
            $0.threads = 4
        }
        let second = next()
        #expect(second["sonde.agent.uptime{}"] == .double(10))
        #expect(second["sonde.agent.memory.usage{}"] == .unsigned(9_000_000))
        #expect(second["sonde.agent.cpu.time{user}"] == .double(1.5))
        #expect(second["sonde.agent.cpu.time{system}"] == .double(0.5))
        #expect(second["sonde.agent.open_file_descriptor.current{}"] == .unsigned(30))
        #expect(second["sonde.agent.thread.current{}"] == .unsigned(4))
    }

    @Test func pointsAreTheAgentsOwnAndAreCataloguedWithTheirAttributes() throws {
        board.add(id: "kernel", plugin: "fake", kind: .source).update { $0.fail(.fake(.transient), at: $0.since) }
        board.add(id: "sink", plugin: "fake", kind: .sink).update { $0.succeed(at: $0.since) }
        figures.set { $0.userSeconds = 1 }
        _ = next()
        let points = pipeline.points() + health.newest
        #expect(points.count > 20)
        for series in points.map(\.series) {
            #expect(series.source == "agent")
            #expect(series.labels.isEmpty)
            let metric = try #require(AgentCatalog.metrics.first { $0.name == series.name }, "\(series.name)")
            #expect(metric.kind == series.kind && metric.unit == series.unit)
            #expect(Set(metric.attributes) == Set(series.attributes.map(\.name)), "\(series.name)")
        }
    }

    @Test func itIsDueOncePerIntervalWhoeverCalls() {
        #expect(!reported { health() }.isEmpty)
        #expect(reported { health() }.isEmpty)
        clock.advance(by: .seconds(9))
        #expect(reported { health() }.isEmpty)
        // A collection that is a little early need not wait for the next.
        clock.advance(by: .milliseconds(950))
        #expect(!reported { health() }.isEmpty)
        #expect(reported { health() }.isEmpty)
    }

    @Test func itsPeriodIsTheIntervalOfTheConfigurationInForce() {
        #expect(health.period == AgentSettings().interval)
        var settings = AgentSettings()
        settings.interval = .seconds(60)
        health.reconfigure(settings, "00aa")
        #expect(health.period == .seconds(60))
    }

    @Test func nobodyWhoWorksMeansThatItIsDoneOnItsOwn() {
        _ = reported { health() }
        clock.advance(by: .seconds(29))
        var again: MonotonicInstant?
        let early = reported { again = health.catchUp() }
        #expect(early.isEmpty)
        #expect(again == clock.monotonicTime.advanced(by: .seconds(1)))
        clock.advance(by: .seconds(1))
        let due = reported { again = health.catchUp() }
        #expect(!due.isEmpty)
        #expect(again == clock.monotonicTime.advanced(by: .seconds(30)))
    }

    @Test func aSourceThatWorksFailsAndHangs() {
        let entry = board.add(id: "kernel", plugin: "fake", kind: .source)
        let first = next()
        #expect(first["sonde.source.state{kernel,starting}"] == .unsigned(1))
        // Whether it works is not known yet.
        #expect(first["sonde.source.up{kernel}"] == nil)
        #expect(first["sonde.source.lag{kernel}"] == nil)

        entry.update { status in
            status.take(samples: 7, at: clock.monotonicTime)
            status.succeed(at: clock.monotonicTime)
            status.enter(.running, at: clock.monotonicTime)
            status.collection.collections = 3
            status.collection.missedTicks = 2
            status.collection.duration = .milliseconds(250)
            status.collection.lateness = .milliseconds(4)
        }
        let second = next()
        #expect(second["sonde.source.up{kernel}"] == .unsigned(1))
        #expect(second["sonde.source.state{kernel,running}"] == .unsigned(1))
        // The series of the state before has ended.
        #expect(second["sonde.source.state{kernel,starting}"] == nil)
        #expect(second["sonde.source.collection.count{success,kernel}"] == .unsigned(3))
        #expect(second["sonde.source.collection.count{missed,kernel}"] == .unsigned(2))
        #expect(second["sonde.source.collection.count{failure,kernel}"] == .unsigned(0))
        #expect(second["sonde.source.collection.duration{kernel}"] == .double(0.25))
        #expect(second["sonde.source.sample.count{kernel}"] == .unsigned(7))
        #expect(second["sonde.source.lag{kernel}"] == .double(10))
        #expect(second["sonde.agent.schedule.lag{}"] == .double(0.004))

        entry.update { $0.fail(.fake(.transient, code: "SND-TST001"), at: clock.monotonicTime) }
        let third = next()
        #expect(third["sonde.source.up{kernel}"] == .unsigned(0))
        #expect(third["sonde.source.error.count{SND-TST001,kernel}"] == .unsigned(1))

        entry.update { $0.recover(at: clock.monotonicTime) }
        #expect(next()["sonde.source.up{kernel}"] == .unsigned(1))
        entry.update { $0.beginHang(.fake(.transient), at: clock.monotonicTime) }
        let hanging = next()
        #expect(hanging["sonde.source.up{kernel}"] == .unsigned(0))
        #expect(hanging["sonde.source.state{kernel,overdue}"] == .unsigned(1))
    }

    @Test func aStreamHasNoCollections() {
        board.add(id: "wire", plugin: "fake", kind: .source).update { status in
            status.collection.isStream = true
            status.beginStream(at: clock.monotonicTime)
        }
        let report = next()
        #expect(report["sonde.source.up{wire}"] == .unsigned(1))
        #expect(report["sonde.source.collection.count{success,wire}"] == nil)
        #expect(report["sonde.source.collection.duration{wire}"] == nil)
        #expect(report["sonde.source.collection.count{failure,wire}"] == .unsigned(0))
    }

    @Test func partsThatDoNotWorkAreThereWhileTheyDoNot() {
        let entry = board.add(id: "wire", plugin: "fake", kind: .source)
        let reports = InstanceReports(id: "wire", entry: entry, log: pipeline.log, clock: clock)
        for path in ["paths[0]", "paths[1]"] {
            let error = SondeError(
                ErrorCode("SND-TST002"), stage: .collect, class: .resource, message: "a part does not work",
                component: "wire", optionPath: path)
            _ = reports.reportTrouble(error, since: nil)
        }
        #expect(next()["sonde.source.trouble{SND-TST002,wire}"] == .unsigned(2))
        for path in ["paths[0]", "paths[1]"] { reports.clearTrouble(ErrorCode("SND-TST002"), optionPath: path) }
        #expect(next()["sonde.source.trouble{SND-TST002,wire}"] == nil)
        #expect(next()["sonde.source.trouble{SND-TST002,wire}"] == nil)
    }

    @Test func partsOfTheAgentThatDoNotWorkAreThereWhileTheyDoNot() {
        let failures = Mutex<[InstanceStatus.Failure]>([])
        let now = clock.monotonicTime
        var failure = InstanceStatus.Failure(error: .fake(.resource, code: "SND-TST003"), since: now, last: now)
        board.watch(storage: { failures.withLock { $0 } })
        #expect(next()["sonde.agent.trouble{SND-TST003}"] == nil)
        failures.withLock { $0 = [failure] }
        #expect(next()["sonde.agent.trouble{SND-TST003}"] == .unsigned(1))
        #expect(next()["sonde.agent.trouble{SND-TST003}"] == .unsigned(1))
        failure.ended = now
        failures.withLock { $0 = [failure] }
        #expect(next()["sonde.agent.trouble{SND-TST003}"] == nil)
        #expect(next()["sonde.agent.trouble{SND-TST003}"] == nil)
    }

    @Test func whatCouldNotBeTakenIsCountedByReasonOverAllMetrics() {
        let entry = board.add(id: "kernel", plugin: "fake", kind: .source)
        let reports = InstanceReports(id: "kernel", entry: entry, log: pipeline.log, clock: clock)
        reports.reject(.sample, metric: "a", reason: "not_finite", count: 3)
        reports.reject(.sample, metric: "b", reason: "not_finite", count: 4)
        reports.reject(.series, metric: "b", reason: "series_limit")
        let report = next()
        #expect(report["sonde.source.sample.left_out{kernel,not_finite}"] == .unsigned(7))
        #expect(report["sonde.source.series.refused{kernel,series_limit}"] == .unsigned(1))
    }

    @Test func aSinkTellsWhatBecameOfItsPointsAndWhatWaits() {
        let entry = board.add(id: "sink", plugin: "fake", kind: .sink)
        entry.update { status in
            status.enter(.idle, at: clock.monotonicTime)
            status.delivery.deliveredPoints = 100
            status.delivery.rejectedPoints = 2
            status.delivery.retries = 5
            status.delivery.failedPoints = [.permanentData: 8]
            status.delivery.deadLetteredPoints = 6
        }
        figures.set { $0.userSeconds = 1 }
        let first = next()
        #expect(first["sonde.sink.up{sink}"] == .unsigned(1))
        #expect(first["sonde.sink.state{sink,running}"] == .unsigned(1))
        #expect(first["sonde.sink.point.sent{sink}"] == .unsigned(100))
        #expect(first["sonde.sink.point.rejected{sink}"] == .unsigned(2))
        #expect(first["sonde.sink.point.failed{permanent_data,sink}"] == .unsigned(8))
        #expect(first["sonde.sink.retry.count{sink}"] == .unsigned(5))
        #expect(first["sonde.sink.dead_letter.count{sink}"] == .unsigned(6))
        // Nothing waited before the report itself.
        #expect(first["sonde.sink.queue.point{sink}"] == .unsigned(0))
        #expect(first["sonde.sink.queue.age{sink}"] == .double(0))
        let waiting = UInt64(pipeline.points().count)
        let second = next()
        #expect(second["sonde.sink.queue.point{sink}"] == .unsigned(waiting))
        #expect(second["sonde.sink.queue.age{sink}"] == .double(10))
    }

    @Test func whenAnInstanceGoesItsSeriesEnd() {
        let entry = board.add(id: "wire", plugin: "fake", kind: .source)
        _ = board.add(id: "kernel", plugin: "fake", kind: .source)
        let before = next().keys.filter { $0.contains("wire") }
        board.dismiss(entry)
        let report = next()
        #expect(!before.isEmpty)
        for name in before { #expect(report[name] == nil, "\(name)") }
        #expect(report["sonde.source.sample.count{kernel}"] == .unsigned(0))
        #expect(next().keys.allSatisfy { !$0.contains("wire") })
    }

    @Test func aStopIsReportedAtEveryOccasion() {
        _ = reported { health() }
        health.stop()
        for _ in 0..<2 {
            let report = reported { health() }
            #expect(report["sonde.agent.stopping{}"] == .unsigned(1))
        }
        clock.advance(by: .seconds(60))
        #expect(reported { _ = health.catchUp() }.isEmpty)
    }

    private func channel(_ id: String, _ entry: StatusEntry? = nil) -> SourceChannel {
        SourceChannel(
            id: id, descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""), labels: [],
            host: nil, pipeline: pipeline.pipeline, ledger: pipeline.ledger, log: pipeline.log, clock: clock,
            listeners: .init(status: entry, health: health))
    }

    private func collector(
        _ instance: FakeSourceInstance, _ channel: SourceChannel, _ entry: StatusEntry? = nil
    ) -> CollectSource {
        CollectSource(
            configuration: SourceConfiguration(id: channel.id, plugin: "fake", interval: .seconds(10)),
            instance: instance, channel: channel, log: pipeline.log, observer: RecordingObserver(),
            cancelDescriptor: -1, random: SeededGenerator(seed: 1), entry: entry)
    }

    @Test func aCollectionIsAnOccasionAndTheLastOneOfTheAgentIsReportedAfterIt() {
        let useCase = collector(FakeSourceInstance(), channel("kernel"))
        #expect(!reported { _ = useCase.step() }.isEmpty)
        health.stop()
        let last = reported { useCase.finish() }
        #expect(last["sonde.agent.stopping{}"] == .unsigned(1))
    }

    @Test func aStreamThatFailsAgainAtOnceIsReportedAsHeld() {
        let entry = board.add(id: "wire", plugin: "fake", kind: .source)
        let channel = channel("wire", entry)
        let source = FakeSourceInstance(isStreaming: true) { _ in
            _ = channel.commit([], checkpoint: nil, rejections: [])
        }
        source.answerRuns(Array(repeating: .fake(.configuration, stage: .collect), count: 2))
        let useCase = collector(source, channel, entry)
        var next = clock.monotonicTime
        #expect(reported { next = useCase.step() }["sonde.source.state{wire,running}"] == .unsigned(1))
        clock.advance(by: max(.seconds(10), next.since(clock.monotonicTime)))
        #expect(reported { _ = useCase.step() }["sonde.source.state{wire,held}"] == .unsigned(1))
    }

    @Test func aReportHasTheTimeOfItsCollectionAndIsNeverBeforeTheOneBefore() throws {
        let time = clock.wallTime
        health(at: time)
        #expect(!health.newest.isEmpty && health.newest.allSatisfy { $0.time == time })
        health.stop()
        var times: [Timestamp] = []
        // A clock that was set back by more than an interval is followed.
        let behind = Timestamp(nanoseconds: time.nanoseconds - 20_000_000_000)
        for earlier in [time, Timestamp(nanoseconds: time.nanoseconds - 2_000_000_000), behind] {
            health(at: earlier)
            times += Set(health.newest.map(\.time))
        }
        #expect(times == [time.advanced(by: .milliseconds(1)), time.advanced(by: .milliseconds(2)), behind])
    }

    @Test func theLogHasProcessorTimeOnlyAndOldReportsAreNotNew() throws {
        figures.set { $0.userSeconds = 1 }
        let began = clock.wallTime
        board.add(id: "kernel", plugin: "fake", kind: .source).update { $0.collection.collections = 3 }
        _ = next()
        #expect(Set(pipeline.points().map(\.series.name)) == ["sonde.agent.cpu.time"])
        #expect(!health.newest.map(\.series.name).contains("sonde.agent.cpu.time"))
        #expect(Set(health.newest.map(\.series.name)).isSuperset(of: ["sonde.agent.build", "sonde.source.state"]))
        let count = try #require(health.newest.first { $0.series.name == "sonde.source.collection.count" })
        #expect(count.start == began)
        clock.advance(by: .seconds(60))
        #expect(!health.newest.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(health.newest.isEmpty)
    }

    @Test func aReaderThatWatchesSeesWhatIsInNoLogAndItsEnds() throws {
        let updates = SeriesUpdates()
        let own = ReportHealth(
            ReportHealth.Facts(version: "1", configuration: ""), AgentSettings(),
            on: ReportHealth.Dependencies(
                board: board, pipeline: pipeline.pipeline, ledger: pipeline.ledger, updates: updates
            ) { ProcessFigures() },
            clock: clock, log: pipeline.log)
        updates.begin(RecordingWakeup())
        let entry = board.add(id: "kernel", plugin: "fake", kind: .source)
        own()
        board.dismiss(entry)
        clock.advance(by: .seconds(10))
        own()
        var states: [SampleValue] = []
        while case .points(let points) = updates.take(atMost: 100) {
            states += points.filter { $0.series.name == "sonde.source.state" }.map(\.value)
        }
        #expect(states == [.unsigned(1), .ended])
    }

    @Test func aStartThatFailsIsAnOccasion() {
        let instance = FakeSourceInstance()
        instance.answerStarts([.fake(.transient)])
        let useCase = collector(instance, channel("kernel"))
        #expect(!reported { _ = useCase.step() }.isEmpty)
    }

    @Test func aCommitOfAStreamIsAnOccasionAndOneOfAPolledSourceIsNot() {
        let (polled, streamed) = (channel("kernel"), channel("wire"))
        _ = collector(FakeSourceInstance(isStreaming: true), streamed)
        #expect(reported { _ = polled.commit([], checkpoint: nil, rejections: []) }.isEmpty)
        #expect(!reported { _ = streamed.commit([], checkpoint: nil, rejections: []) }.isEmpty)
    }

    @Test func noSnapshotIsMadeOfWhatTheAgentSaysOfItself() {
        let bench = PipelineBench(wants: [.metrics, .snapshots])
        let board = StatusBoard(
            facts: board.facts, spool: bench.spool, ledger: bench.ledger, clock: bench.clock)
        let own = ReportHealth(
            ReportHealth.Facts(version: "1", configuration: ""), AgentSettings(),
            on: ReportHealth.Dependencies(
                board: board, pipeline: bench.pipeline, ledger: bench.ledger,
                history: RecordHistory(store: store, clock: bench.clock, log: bench.log)
            ) {
                var figures = ProcessFigures()
                figures.memory = 1
                return figures
            },
            clock: bench.clock, log: bench.log)
        own()
        #expect(!own.newest.isEmpty)
        #expect(bench.documents().isEmpty)
    }

    @Test func anotherConfigurationIsAnotherGeneration() {
        _ = reported { health() }
        var settings = AgentSettings()
        settings.interval = .seconds(2)
        health.reconfigure(settings, "00aa")
        clock.advance(by: .seconds(2))
        let second = reported { health() }
        #expect(second["sonde.agent.configuration.generation{}"] == .unsigned(2))
        #expect(second["sonde.agent.configuration.hash{00aa}"] == .unsigned(1))
        #expect(second["sonde.agent.configuration.hash{00ff}"] == nil)
    }

    @Test func historyReadsTheSamePoints() throws {
        let entry = board.add(id: "kernel", plugin: "fake", kind: .source)
        _ = board.add(id: "sink", plugin: "fake", kind: .sink)
        figures.set { $0.memory = 5_000 }
        for second in 0..<3 {
            figures.set { ($0.userSeconds, $0.systemSeconds) = (Double(second), Double(second)) }
            entry.update { $0.take(samples: 50, at: clock.monotonicTime) }
            pipeline.ledger.record(Loss(reason: "kernel_drop", component: "kernel", count: 20))
            _ = next()
        }
        _ = record.commit()
        let query = HistoryQuery(
            metrics: HistoryMetric.named("agent"), range: HistoryRange(.seconds(60), before: clock.wallTime),
            asked: clock.wallTime)
        let lines = try HistoryOf(record)(query, after: nil, limit: 100).lines
        #expect(lines.allSatisfy { $0.series.source == "agent" })
        let known = Dictionary(lines.map { ($0.series.metric, $0.series.member) }) { first, _ in first }
        #expect(
            Set(known.keys) == [.agentMemory, .agentProcessor, .agentSamples, .agentWaiting, .agentLosses])
        #expect(known[.agentWaiting] == "sink")
    }

    @Test(arguments: [(1_000, 0.01), (6_000, 1)] as [(Int64, Double)])
    func aReportAtTheStopSoonAfterAnotherIsNotInHistory(_ last: Int64, _ maximum: Double) throws {
        for second in 0..<4 {
            figures.set { ($0.userSeconds, $0.systemSeconds) = (Double(second) / 10, 0) }
            _ = next()
        }
        health.stop()
        clock.advance(by: .milliseconds(last))
        figures.set { $0.userSeconds = 0.3 + Double(last) / 1_000 }
        health()
        let query = HistoryQuery(
            metrics: [.agentProcessor], range: HistoryRange(.seconds(60), before: clock.wallTime),
            asked: clock.wallTime)
        let points = try #require(HistoryOf(record)(query, limit: 9).lines.first).points.map(\.value)
        let maxima = points.compactMap(\.maximum)
        #expect(abs(try #require(maxima.max()) - maximum) < 1e-9, "\(maxima)")
    }
}

/// Figures of a process that a test sets.
private final class SharedFigures: Sendable {
    private let figures = Mutex(ProcessFigures())

    var value: ProcessFigures { figures.withLock { $0 } }

    func set(_ change: (inout ProcessFigures) -> Void) { figures.withLock { change(&$0) } }
}
