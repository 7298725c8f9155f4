internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// The composition root: makes everything that one run needs and passes each part its dependencies.
struct AppContainer {
    /// A checked configuration with its plugins made.
    struct Agent {
        let sources: [SourceRunner]
        let sinks: [SinkRunner]
        let parts: SharedParts
        /// Nil where there is nothing to keep: a log in memory.
        let housekeeping: Housekeeping?
        /// Nil where no state is kept.
        let history: History?
    }

    /// The base of all sources and sinks: it lasts as long as the process.
    struct SharedParts: Sendable {
        /// The agent's UUID.
        let agent: String
        /// The state directory; nil: nothing is kept.
        let stateDirectory: String?
        let spool: SpoolFactory.Opened
        let pipeline: Pipeline
        let board: StatusBoard
        /// Reports what the log has lost, and what fails on its disk.
        let settle: @Sendable () -> Void
        let access: SpoolAccess
        let health: ReportHealth
        let record: RecordHistory?
        let snapshots: Snapshots
        let channels: ChannelRegister
        /// Nil where no state is kept.
        let runMark: RunMark?
        let screen: LiveScreen?
    }

    /// The last hour, snapshots of it, and the instances that can be made to try again.
    struct Snapshots: Sendable {
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
    let meanings: MetricMeanings
    /// Instances that were made already, when plugins validated their options.
    let made: MadeInstances?
    let host: String?

    /// A container for one configuration; `ledger` and `meanings` are those of an agent that runs already.
    init(
        configuration: AgentConfiguration,
        catalog: any PluginCatalog,
        log: any EventLog,
        ledger: LossLedger? = nil,
        meanings: MetricMeanings? = nil,
        made: MadeInstances? = nil,
        clock: any Clock = SystemClock()
    ) {
        self.configuration = configuration
        self.catalog = catalog
        self.made = made
        self.log = log
        self.clock = clock
        self.ledger = ledger ?? LossLedger(log: log)
        self.meanings = meanings ?? MetricMeanings()
        host = configuration.agent.host ?? HostName.current
    }

    /// The whole agent, ready to run.
    ///
    /// Plugins are created, nothing is started.
    ///
    /// `digest` identifies the configuration.
    func makeAgent(configurationPath: String?, digest: String, screen: LiveScreen?) throws(SondeError) -> Agent {
        let state = KeptState(configuration.agent.stateDirectory, log: log)
        let agent = state.identity
        // Before anything is written there.
        let files = state.directory.map(StateFiles.init)
        let recorded = files?.newestTime
        let hold = ClockHold(
            release: Version.date, recorded: recorded, clock: clock, ledger: ledger, log: log
        ) { [clock] in
            files?.touch(laterThan: clock.wallTime)
        }
        let opened = try spools.open(state)
        // The lock of the log is held.
        let runMark = state.directory.flatMap { RunMark(in: $0) }
        noteGap(runMark?.before, since: recorded)
        let spool = opened.store
        let syncTimer = try Timer()
        let pipeline = Pipeline(
            spool: spool,
            ledger: ledger,
            clock: clock,
            lossSeries: LossSeries(start: clock.wallTime),
            hold: hold,
            syncSchedule: opened.kind == .disk ? SyncSchedule(wakeup: syncTimer) : nil
        )
        let keep = KeepSpool(spool: spool, ledger: ledger, clock: clock, log: log)
        let board = makeBoard(agent, opened, keep, configurationPath)
        board.watch(agent: { hold.failures })
        let snapshots = makeSnapshots(board)
        let history = try makeHistory(state.directory, board, snapshots.book)
        let channels = ChannelRegister()
        let health = makeHealth(digest, board, pipeline, history?.record, channels)
        let parts = SharedParts(
            agent: agent,
            stateDirectory: state.directory,
            spool: opened,
            pipeline: pipeline,
            board: board,
            settle: settling(opened, keep, syncTimer),
            access: makeAccess(agent, opened, state.directory),
            health: health,
            record: history?.record,
            snapshots: snapshots,
            channels: channels,
            runMark: runMark,
            screen: screen
        )
        let sinks = try configuration.sinks.map { (sink) throws(SondeError) in try makeSink(sink, on: parts) }
        for sink in sinks { sink.membership.join() }
        for loss in spool.retainReaders(configuration.sinks.map(\.id)) { ledger.record(loss) }
        keep.report()
        let sources = try configuration.sources.map { (source) throws(SondeError) in
            try makeSource(source, on: parts)
        }
        for source in sources { source.membership.join() }
        pipeline.endUnclaimedSeries()
        return Agent(
            sources: sources,
            sinks: sinks,
            parts: parts,
            housekeeping: opened.kind == .disk ? makeHousekeeping(syncTimer, keep, health) : nil,
            history: history
        )
    }

    /// What an agent that did not stop as planned would have collected until now is lost.
    private func noteGap(_ end: RunMark.End?, since recorded: Timestamp?) {
        guard let end else { return }
        let now = clock.wallTime
        let from = recorded.flatMap { $0 <= now ? $0 : nil }
        let seconds = from.map { (now.nanoseconds &- $0.nanoseconds) / 1_000_000_000 }
        let span = seconds.map { " for \(DurationText.text(of: .seconds($0)))" } ?? ""
        log.log(.warning, "\(end.sentence): nothing was collected\(span)", component: nil)
        ledger.record(Loss(end.lossReason, component: AgentCatalog.source, from: from, to: now))
    }

    private func makeHousekeeping(
        _ timer: Timer,
        _ keep: KeepSpool,
        _ health: ReportHealth
    ) -> Housekeeping {
        Housekeeping(timer: timer, clock: clock) {
            let again = health.catchUp()
            return min(keep.run(), again)
        }
    }

    func makeHealth(
        _ digest: String,
        _ board: StatusBoard,
        _ pipeline: Pipeline,
        _ record: RecordHistory?,
        _ channels: ChannelRegister
    ) -> ReportHealth {
        let health = ReportHealth(
            ReportHealth.Facts(version: Version.text, configuration: digest),
            configuration.agent,
            on: ReportHealth.Dependencies(
                board: board, pipeline: pipeline, ledger: ledger, history: record, meanings: meanings,
                updates: channels.updates
            ) { ProcessUsage.figures },
            clock: clock,
            log: log
        )
        channels.admit(health.channel)
        return health
    }

    private func settling(
        _ opened: SpoolFactory.Opened,
        _ keep: KeepSpool,
        _ timer: Timer
    ) -> @Sendable () -> Void {
        switch opened.kind {
        case .memory: { keep.report() }
        // The loop does not wait for a disk.
        case .disk: { timer.arm(at: MonotonicInstant(nanoseconds: 1)) }
        }
    }

    private func makeAccess(
        _ agent: String,
        _ opened: SpoolFactory.Opened,
        _ state: String?
    ) -> SpoolAccess {
        let folders = SpoolAccess.Folders(
            spool: opened.kind == .disk ? state.map { "\($0)/spool" } : nil,
            deadLetters: state.map { "\($0)/dead-letter" }
        )
        return SpoolAccess(store: opened.store, agent: agent, folders: folders, sinks: [])
    }

    func makeBoard(
        _ agent: String,
        _ opened: SpoolFactory.Opened,
        _ keep: KeepSpool,
        _ configurationPath: String?
    ) -> StatusBoard {
        let facts = AgentFacts(
            version: Version.text,
            processID: getpid(),
            id: agent,
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

    /// How logs are opened.
    var spools: SpoolFactory {
        SpoolFactory(
            settings: configuration.agent, disk: DiskShares(configuration)?.spool, resource: resource, clock: clock,
            log: log)
    }

    /// What all points have in common.
    var resource: Resource {
        Resource(host: host, agentVersion: Version.text, labels: configuration.agent.labels)
    }

    func makeServices(_ id: String, _ entry: StatusEntry? = nil) -> any SinkServices {
        SinkChannel(id: id, clock: clock, log: log, ledger: ledger, meanings: meanings, entry: entry)
    }
}
