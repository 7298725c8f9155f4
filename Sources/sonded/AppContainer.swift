internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// Makes everything that one run needs and hands each part what it works with: the one place that knows all of them.
struct AppContainer {
    /// A checked configuration with its plugins made.
    struct Agent {
        let sources: [SourceRunner]
        let sinks: [SinkRunner]
        let pipeline: Pipeline
        let board: StatusBoard
        /// Nil where there is nothing to keep: a log in memory.
        let housekeeping: Housekeeping?
        let spool: SpoolFactory.Opened
    }

    let configuration: AgentConfiguration
    let catalog: any PluginCatalog
    let clock: any Clock
    let log: any EventLog
    let ledger: LossLedger
    let host: String?

    init(configuration: AgentConfiguration, catalog: any PluginCatalog, log: any EventLog) {
        self.configuration = configuration
        self.catalog = catalog
        self.log = log
        clock = SystemClock()
        ledger = LossLedger(log: log)
        host = configuration.agent.host ?? HostName.current
    }

    /// The whole agent, ready to run.
    ///
    /// Plugins are created, nothing is started.
    func makeAgent(configurationPath: String?) throws(SondeError) -> Agent {
        let origin = DeliverBatches.Origin(agent: loadIdentity(), host: host)
        let opened = try spools.open()
        let spool = opened.store
        let syncTimer = try Timer()
        let pipeline = Pipeline(
            spool: spool,
            ledger: ledger,
            clock: clock,
            lossSeries: LossSeries(labels: configuration.agent.labels, start: clock.wallTime),
            syncSchedule: opened.kind == .disk ? SyncSchedule(wakeup: syncTimer) : nil
        )
        let board = makeBoard(origin, opened, configurationPath)
        var sinks: [SinkRunner] = []
        for sink in configuration.sinks {
            sinks.append(try makeSink(sink, origin, opened, pipeline, board))
        }
        let keep = KeepSpool(spool: spool, ledger: ledger, clock: clock, log: log)
        for loss in spool.retainReaders(configuration.sinks.map(\.id)) { ledger.record(loss) }
        keep.report()
        var sources: [SourceRunner] = []
        for source in configuration.sources {
            sources.append(try makeSource(source, origin, pipeline, board))
        }
        return Agent(
            sources: sources,
            sinks: sinks,
            pipeline: pipeline,
            board: board,
            housekeeping: opened.kind == .disk ? try Housekeeping(timer: syncTimer, clock: clock, work: keep.run) : nil,
            spool: opened
        )
    }

    /// Makes and frees every instance, as `check` does: each plugin validates its own options.
    ///
    /// Every failure is kept.
    func validateInstances() -> [SondeError] {
        var failures: [SondeError] = []
        let pipeline = Pipeline(spool: spools.memory().store, ledger: ledger, clock: clock)
        for sink in configuration.sinks {
            do throws(SondeError) {
                let plugin = try catalog.plugin(named: sink.plugin)
                try plugin.makeSink(id: sink.id, options: sink.options, services: makeServices(sink.id)).close()
            } catch {
                failures.append(error.of(sink.id))
            }
        }
        for source in configuration.sources {
            do throws(SondeError) {
                try makeSourceInstance(source, pipeline).instance.close()
            } catch {
                failures.append(error.of(source.id))
            }
        }
        return failures
    }

    /// A source instance with its channel into a pipeline.
    func makeSourceInstance(
        _ source: SourceConfiguration,
        _ pipeline: Pipeline,
        entry: StatusEntry? = nil
    ) throws(SondeError) -> (instance: any SourceInstance, channel: SourceChannel) {
        let plugin = try catalog.plugin(named: source.plugin)
        let channel = SourceChannel(
            id: source.id,
            descriptor: plugin.descriptor,
            labels: labels(of: source),
            host: host,
            losesWhatIsRefused: true,
            pipeline: pipeline,
            ledger: ledger,
            log: log,
            clock: clock,
            entry: entry
        )
        let instance = try plugin.makeSource(id: source.id, options: source.options, services: channel)
        return (instance, channel)
    }

    /// The use case of a source.
    func makeCollector(
        _ source: SourceConfiguration,
        _ made: (instance: any SourceInstance, channel: SourceChannel),
        _ control: InstanceControl,
        phase: Nanoseconds = .zero,
        entry: StatusEntry? = nil
    ) -> CollectSource {
        CollectSource(
            configuration: source,
            instance: made.instance,
            channel: made.channel,
            log: log,
            observer: control.watch,
            cancelDescriptor: control.cancel.descriptor,
            random: SystemRandomNumberGenerator(),
            phase: phase,
            entry: entry
        )
    }

    private func makeBoard(
        _ origin: DeliverBatches.Origin,
        _ opened: SpoolFactory.Opened,
        _ configurationPath: String?
    ) -> StatusBoard {
        let facts = AgentFacts(
            version: Version.text,
            processID: getpid(),
            id: origin.agent,
            host: host,
            configurationPath: configurationPath,
            spool: AgentFacts.Spool(
                kind: opened.kind,
                maxBytes: opened.maxBytes,
                overflow: configuration.agent.overflow,
                epoch: opened.store.epoch
            )
        )
        return StatusBoard(facts: facts, spool: opened.store, ledger: ledger, clock: clock)
    }

    private func makeSource(
        _ source: SourceConfiguration,
        _ origin: DeliverBatches.Origin,
        _ pipeline: Pipeline,
        _ board: StatusBoard
    ) throws(SondeError) -> SourceRunner {
        let entry = board.add(id: source.id, plugin: source.plugin, kind: .source)
        let control = try InstanceControl(component: source.id, log: log, entry: entry)
        let made = try makeSourceInstance(source, pipeline, entry: entry)
        let phase = HostSplay.collectionPhase(agent: origin.agent, interval: source.interval)
        return SourceRunner(
            id: source.id,
            useCase: makeCollector(source, made, control, phase: phase, entry: entry),
            instance: made.instance,
            control: control
        )
    }

    private func makeSink(
        _ sink: SinkConfiguration,
        _ origin: DeliverBatches.Origin,
        _ opened: SpoolFactory.Opened,
        _ pipeline: Pipeline,
        _ board: StatusBoard
    ) throws(SondeError) -> SinkRunner {
        let spool = opened.store
        let plugin = try catalog.plugin(named: sink.plugin)
        let isLive = plugin.descriptor.delivery == .live
        let entry = board.add(id: sink.id, plugin: sink.plugin, kind: .sink)
        let control = try InstanceControl(component: sink.id, log: log, entry: entry)
        let instance = try plugin.makeSink(id: sink.id, options: sink.options, services: makeServices(sink.id))
        let wants = sink.send ?? instance.preferredContent
        let gate = DeliveryGate(
            sink: sink.id,
            wants: wants,
            wait: sink.batch.wait ?? (isLive ? .milliseconds(200) : .seconds(1)),
            maxCount: sink.batch.samples,
            maxBytes: sink.batch.bytes,
            wakeup: control.timer
        )
        spool.addReader(sink.id, isLive ? .live : .durable, wants: wants)
        pipeline.add(gate)
        let useCase = DeliverBatches(
            settings: DeliverBatches.Settings(sink),
            origin: origin,
            instance: instance,
            spool: spool,
            gate: gate,
            ledger: ledger,
            deadLetters: makeDeadLetters(sink),
            clock: clock,
            log: log,
            observer: control.watch,
            cancelDescriptor: control.cancel.descriptor,
            random: SystemRandomNumberGenerator(),
            entry: entry
        )
        return SinkRunner(
            id: sink.id,
            useCase: useCase,
            instance: instance,
            control: control,
            clock: clock,
            leftover: leftover(isKept: isLive || opened.kind == .disk)
        )
    }

    private func makeDeadLetters(_ sink: SinkConfiguration) -> (any DeadLetterStore)? {
        guard let state = configuration.agent.stateDirectory, sink.deadLetterMaxBytes > 0 else { return nil }
        return DirectoryDeadLetterStore(
            directory: "\(state)/dead-letter/\(sink.id)",
            maxBytes: sink.deadLetterMaxBytes,
            log: log
        )
    }

    /// What happens to points that a sink has not delivered when the agent ends: a live sink never promised them, a log
    /// on disk keeps them, and what waits in memory is lost.
    private func leftover(isKept: Bool) -> @Sendable (String, Int) -> Void {
        let (ledger, log, clock) = (ledger, log, clock)
        return { sink, count in
            guard !isKept else { return }
            ledger.record(
                Loss(reason: "undelivered_at_stop", component: sink, to: clock.wallTime, count: UInt64(count))
            )
            log.log(
                .error,
                SondeError(
                    .undeliveredAtStop,
                    stage: .shutdown,
                    class: .transient,
                    message: "\(count) points were still waiting when the grace time was over; they are lost",
                    recovery: [.advise("Raise agent.shutdown_grace, or see why the receiver is slow or down.")],
                    component: sink
                )
            )
        }
    }

    /// How logs are opened.
    var spools: SpoolFactory {
        SpoolFactory(settings: configuration.agent, clock: clock, log: log)
    }

    private func makeServices(_ id: String) -> any PluginServices {
        SinkServices(id: id, clock: clock, log: log, ledger: ledger)
    }

    private func labels(of source: SourceConfiguration) -> [Attribute] {
        let own = Set(source.labels.map(\.name))
        return configuration.agent.labels.filter { !own.contains($0.name) } + source.labels
    }

    private func loadIdentity() -> String {
        var random = SystemRandomNumberGenerator()
        guard let directory = configuration.agent.stateDirectory else { return UUIDText.random(using: &random) }
        do throws(SondeError) {
            return try AgentIdentityStore(directory: directory).load(using: &random)
        } catch {
            log.log(.warning, error)
            return UUIDText.random(using: &random)
        }
    }
}
