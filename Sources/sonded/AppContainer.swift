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
        let spool = makeSpool()
        let pipeline = Pipeline(
            spool: spool,
            ledger: ledger,
            clock: clock,
            lossSeries: LossSeries(labels: configuration.agent.labels, start: clock.wallTime)
        )
        let origin = DeliverBatches.Origin(agent: loadIdentity(), host: host)
        let board = makeBoard(origin, spool, configurationPath)
        var sinks: [SinkRunner] = []
        for sink in configuration.sinks {
            sinks.append(try makeSink(sink, origin, spool, pipeline, board))
        }
        var sources: [SourceRunner] = []
        for source in configuration.sources {
            sources.append(try makeSource(source, pipeline, board))
        }
        return Agent(sources: sources, sinks: sinks, pipeline: pipeline, board: board)
    }

    /// Makes and frees every instance, as `check` does: each plugin validates its own options.
    ///
    /// Every failure is kept.
    func validateInstances() -> [SondeError] {
        var failures: [SondeError] = []
        let pipeline = Pipeline(spool: makeSpool(), ledger: ledger, clock: clock)
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
            entry: entry
        )
    }

    private func makeBoard(
        _ origin: DeliverBatches.Origin,
        _ spool: any SpoolStore,
        _ configurationPath: String?
    ) -> StatusBoard {
        let facts = AgentFacts(
            version: Version.text,
            processID: getpid(),
            id: origin.agent,
            host: host,
            configurationPath: configurationPath,
            spool: AgentFacts.Spool(
                kind: .memory,
                maxBytes: configuration.agent.spoolMaxBytes,
                overflow: configuration.agent.overflow,
                epoch: spool.epoch
            )
        )
        return StatusBoard(facts: facts, spool: spool, ledger: ledger, clock: clock)
    }

    private func makeSource(
        _ source: SourceConfiguration,
        _ pipeline: Pipeline,
        _ board: StatusBoard
    ) throws(SondeError) -> SourceRunner {
        let entry = board.add(id: source.id, plugin: source.plugin, kind: .source)
        let control = try InstanceControl(component: source.id, log: log, entry: entry)
        let made = try makeSourceInstance(source, pipeline, entry: entry)
        return SourceRunner(
            id: source.id,
            useCase: makeCollector(source, made, control, entry: entry),
            instance: made.instance,
            control: control
        )
    }

    private func makeSink(
        _ sink: SinkConfiguration,
        _ origin: DeliverBatches.Origin,
        _ spool: any SpoolStore,
        _ pipeline: Pipeline,
        _ board: StatusBoard
    ) throws(SondeError) -> SinkRunner {
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
            leftover: leftover(isLive: isLive)
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

    private func leftover(isLive: Bool) -> @Sendable (String, Int) -> Void {
        let (ledger, log, clock) = (ledger, log, clock)
        return { sink, count in
            guard !isLive else { return }
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

    /// An empty log as the configuration bounds it.
    func makeSpool() -> any SpoolStore {
        var random = SystemRandomNumberGenerator()
        return MemorySpool(
            epoch: UUIDText.random(using: &random),
            maxBytes: configuration.agent.spoolMaxBytes,
            overflow: configuration.agent.overflow
        )
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
