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
        let access: SpoolAccess
        /// Nil where no state is kept.
        let history: History?
        let snapshots: Snapshots
    }

    /// What knows the last hour and makes snapshots of it, and who can be told to try again.
    struct Snapshots {
        let book: SnapshotBook
        let build: BuildSnapshot
        let retry = RetryNow()
    }

    /// What records the history, and when.
    struct History {
        let record: RecordHistory
        let keeper: Housekeeping
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
        let keep = KeepSpool(spool: spool, ledger: ledger, clock: clock, log: log)
        let board = makeBoard(origin, opened, keep, configurationPath)
        let snapshots = makeSnapshots(board)
        var sinks: [SinkRunner] = []
        var orders: [SinkOrders] = []
        for sink in configuration.sinks {
            let made = try makeSink(sink, origin, opened, pipeline, board, snapshots.retry)
            sinks.append(made.runner)
            orders.append(made.orders)
        }
        for loss in spool.retainReaders(configuration.sinks.map(\.id)) { ledger.record(loss) }
        keep.report()
        var sources: [SourceRunner] = []
        let history = try makeHistory(board, snapshots.book)
        for source in configuration.sources {
            sources.append(try makeSource(source, origin, pipeline, board, history?.record, snapshots))
        }
        return Agent(
            sources: sources,
            sinks: sinks,
            pipeline: pipeline,
            board: board,
            housekeeping: opened.kind == .disk ? try Housekeeping(timer: syncTimer, clock: clock, work: keep.run) : nil,
            spool: opened,
            access: makeAccess(origin, opened, orders),
            history: history,
            snapshots: snapshots
        )
    }

    private func makeAccess(
        _ origin: DeliverBatches.Origin,
        _ opened: SpoolFactory.Opened,
        _ orders: [SinkOrders]
    ) -> SpoolAccess {
        let state = configuration.agent.stateDirectory
        let folders = SpoolAccess.Folders(
            spool: opened.kind == .disk ? state.map { "\($0)/spool" } : nil,
            deadLetters: state.map { "\($0)/dead-letter" }
        )
        return SpoolAccess(
            store: opened.store, agent: origin.agent, host: host, folders: folders, sinks: orders)
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
        entry: StatusEntry? = nil,
        history: RecordHistory? = nil,
        book: SnapshotBook? = nil,
        snapshot: (@Sendable () -> Snapshot)? = nil
    ) throws(SondeError) -> (instance: any SourceInstance, channel: SourceChannel) {
        let plugin = try catalog.plugin(named: source.plugin)
        let channel = SourceChannel(
            id: source.id,
            descriptor: plugin.descriptor,
            labels: labels(of: source),
            host: host,
            pipeline: pipeline,
            ledger: ledger,
            log: log,
            clock: clock,
            entry: entry,
            history: history,
            book: book,
            snapshot: snapshot
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
        entry: StatusEntry? = nil,
        retry: RetryRequest? = nil
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
            entry: entry,
            retry: retry
        )
    }

    private func makeBoard(
        _ origin: DeliverBatches.Origin,
        _ opened: SpoolFactory.Opened,
        _ keep: KeepSpool,
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
                epoch: opened.store.epoch,
                failure: opened.failure
            )
        )
        return StatusBoard(facts: facts, spool: opened.store, keep: keep, ledger: ledger, clock: clock)
    }

    private func makeSource(
        _ source: SourceConfiguration,
        _ origin: DeliverBatches.Origin,
        _ pipeline: Pipeline,
        _ board: StatusBoard,
        _ history: RecordHistory?,
        _ snapshots: Snapshots
    ) throws(SondeError) -> SourceRunner {
        let entry = board.add(id: source.id, plugin: source.plugin, kind: .source)
        let control = try InstanceControl(component: source.id, log: log, entry: entry)
        let made = try makeSourceInstance(
            source, pipeline, entry: entry, history: history, book: snapshots.book,
            snapshot: { snapshots.build() })
        let phase = HostSplay.collectionPhase(agent: origin.agent, interval: source.interval)
        return SourceRunner(
            id: source.id,
            useCase: makeCollector(
                source, made, control, phase: phase, entry: entry,
                retry: snapshots.retry.add(source.id, wakeup: control.timer)),
            instance: made.instance,
            control: control
        )
    }

    /// How logs are opened.
    var spools: SpoolFactory {
        SpoolFactory(settings: configuration.agent, clock: clock, log: log)
    }

    func makeServices(_ id: String) -> any PluginServices {
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
