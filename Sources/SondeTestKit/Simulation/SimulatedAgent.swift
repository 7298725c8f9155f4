internal import SondeDomain
internal import SondeEngine

/// One life of the agent: everything that a crash takes away.
final class SimulatedAgent {
    let life: CrashSwitch
    private let plan: SimulationPlan
    private let world: SimulationWorld
    private let spool: ObservedSpool
    private let ledger = LossLedger(log: SilentLog())
    private let keep: KeepSpool
    private var collectors: [String: CollectSource] = [:]
    private var deliverers: [DeliverBatches] = []
    private var lostBeforeBaseline: [String: UInt64] = [:]

    /// Starts as the daemon does: the log, the sinks, what the log has lost, the sources.
    init(
        _ plan: SimulationPlan,
        _ world: SimulationWorld,
        _ life: CrashSwitch,
        _ store: any SpoolStore,
        mood: @escaping (Int) -> SimulatedReceiver.Mood
    ) {
        self.plan = plan
        self.world = world
        self.life = life
        spool = ObservedSpool(store, world, life)
        // Now and then a life has another version than the one before.
        spool.resource = Resource(agentVersion: "\(world.oracle.points.count % 3)")
        keep = KeepSpool(spool: spool, ledger: ledger, clock: world.clock, log: SilentLog())
        let timer = SimulatedWakeup(world: world, actor: plan.keeper)
        let pipeline = Pipeline(
            spool: spool,
            ledger: ledger,
            clock: world.clock,
            lossSeries: LossSeries(start: world.clock.wallTime),
            syncSchedule: plan.isInMemory ? nil : SyncSchedule(wakeup: timer)
        )
        for index in plan.sinks.indices { addSink(index, pipeline, mood) }
        for loss in spool.retainReaders(plan.sinks.map(\.configuration.id)) { ledger.record(loss) }
        keep.report()
        // Now and then a life has no place for the last source.
        let sources = plan.sources.count > 1 && world.isOneIn(6) ? plan.sources.dropLast() : plan.sources[...]
        for source in sources { addSource(source, pipeline) }
        world.oracle.seriesLife.sources = Set(sources.map(\.id))
        begin()
        pipeline.endUnclaimedSeries()
    }

    private func addSink(
        _ index: Int,
        _ pipeline: Pipeline,
        _ mood: @escaping (Int) -> SimulatedReceiver.Mood
    ) {
        let sink = plan.sinks[index]
        let actor = plan.sources.count + index
        let id = sink.configuration.id
        spool.addReader(id, sink.kind, wants: sink.content)
        let gate = DeliveryGate(
            sink: id,
            wants: sink.content,
            wait: .seconds(1),
            maxCount: sink.configuration.batch.samples,
            maxBytes: sink.configuration.batch.bytes,
            wakeup: SimulatedWakeup(world: world, actor: actor)
        )
        pipeline.add(gate)
        let deliverer = DeliverBatches(
            settings: DeliverBatches.Settings(sink.configuration, wantsEnds: sink.wantsEnds),
            agent: "agent-\(plan.seed)",
            instance: SimulatedReceiver(world, life, sink, actor: actor) { mood(index) },
            spool: spool,
            gate: gate,
            ledger: ledger,
            deadLetters: sink.hasDeadLetters ? SimulatedDeadLetters(world, life, sink: id) : nil,
            clock: ActorClock(world: world, actor: actor),
            log: SilentLog(),
            observer: SilentObserver(),
            cancelDescriptor: -1,
            random: SeededGenerator(seed: world.random.next())
        )
        deliverer.syncs = pipeline.syncSchedule
        deliverers.append(deliverer)
    }

    private func addSource(_ source: SimulationPlan.Source, _ pipeline: Pipeline) {
        let channel = SourceChannel(
            id: source.id,
            descriptor: PluginDescriptor(name: "simulated", kind: .source, version: "1", summary: ""),
            labels: [],
            host: nil,
            pipeline: pipeline,
            ledger: ledger,
            log: SilentLog(),
            clock: world.clock,
            interval: source.interval
        )
        let observed = SimulatedChannel(channel, world)
        collectors[source.id] =
            CollectSource(
                configuration: SourceConfiguration(id: source.id, plugin: "simulated", interval: source.interval),
                instance: source.isTail
                    ? SimulatedTail(source, world, life, observed)
                    : SimulatedSource(source, world, life, observed, ledger),
                channel: channel,
                log: SilentLog(),
                observer: SilentObserver(),
                cancelDescriptor: -1,
                random: SeededGenerator(seed: world.random.next())
            )
    }

    /// The accounts of this run begin at the log's present end.
    private func begin() {
        for sink in plan.sinks.map(\.configuration.id) {
            lostBeforeBaseline[sink] = lostByLog(sink)
            world.oracle.beginLife(of: sink, waiting: spool.backlog(of: sink).count)
        }
        for actor in 0..<plan.keeper { world.wakes[actor] = world.now }
    }

    // MARK: Running

    /// Runs what an actor has to do now.
    func run(_ actor: Int) {
        if actor == plan.keeper { return runKeeper() }
        guard actor >= plan.sources.count else {
            world.wakes[actor] = collectors[plan.sources[actor].id]?.step()
            return
        }
        if case .at(let instant) = deliverers[actor - plan.sources.count].step() { world.wakes[actor] = instant }
    }

    /// Stops as planned: every source is read a last time.
    func stop() {
        for source in plan.sources where !life.isDead { collectors[source.id]?.finish() }
        guard !life.isDead else { return }
        keep.report()
        balance()
        world.note("agent stops")
        life.kill()
    }

    private func runKeeper() {
        let next = keep.run()
        guard !life.isDead else { return }
        if next != .distantFuture { world.wakes[plan.keeper] = min(world.wakes[plan.keeper] ?? next, next) }
    }

    /// Holds the accounts of every sink against the oracle's.
    func balance() {
        spool.collectLosses()
        for index in plan.sinks.indices {
            let sink = plan.sinks[index].configuration.id
            world.oracle.balance(sink, statement(index), isExact: !world.oracle.diskHasFailed)
        }
    }

    /// Whether no durable sink waits for anything.
    var isDrained: Bool {
        plan.sinks.allSatisfy { $0.kind == .live || spool.backlog(of: $0.configuration.id).count == 0 }
    }

    /// Whether memory has taken over from a disk that failed: only the next start delivers what is on it.
    var hasTakenOver: Bool { !plan.isInMemory && !spool.isDurable }

    /// What waits, and why.
    var leftovers: String {
        deliverers.enumerated().map { index, deliverer in
            let id = plan.sinks[index].configuration.id
            let failure = deliverer.failure.map { " after \($0.failureClass.name)" } ?? ""
            return "\(id) \(spool.backlog(of: id).count)\(failure)"
        }
        .joined(separator: ", ")
    }

    /// Settles the accounts of a drained log.
    func close() {
        runKeeper()
        spool.collectLosses()
        for entry in ledger.all { world.note("ledger: \(entry.component) \(entry.reason) \(entry.count ?? 0)") }
        for index in plan.sinks.indices { world.oracle.close(plan.sinks[index].configuration.id, statement(index)) }
    }

    /// Hands the ledger over to the oracle: the life is over.
    func bury() {
        for entry in ledger.all { world.note("ledger: \(entry.component) \(entry.reason) \(entry.count ?? 0)") }
        for sink in plan.sinks.map(\.configuration.id) {
            let reasons = ["rejected_by_receiver", "refused_by_receiver"]
            let receiver = reasons.reduce(0) { $0 &+ ledger.count(component: sink, reason: $1) }
            world.oracle.endLife(of: sink, reported: lostByLog(sink) &+ receiver, byLog: lostByLog(sink))
        }
    }

    private func statement(_ index: Int) -> SimulationOracle.Statement {
        let sink = plan.sinks[index].configuration.id
        let reasons = ["rejected_by_receiver", "refused_by_receiver"]
        return SimulationOracle.Statement(
            lostByLog: lostByLog(sink) &+ spool.unreported(of: sink) &- (lostBeforeBaseline[sink] ?? 0),
            lostAtStart: lostBeforeBaseline[sink] ?? 0,
            lostByReceiver: reasons.reduce(0) { $0 &+ ledger.count(component: sink, reason: $1) },
            waiting: spool.backlog(of: sink).count + spool.stranded(of: sink),
            delivery: deliverers[index].status,
            rejected: ledger.count(component: sink, reason: "rejected_by_receiver")
        )
    }

    private func lostByLog(_ sink: String) -> UInt64 {
        ["spool_overflow", "spool_damaged", "spool_expired", "spool_memory_lost"]
            .reduce(0) { $0 &+ ledger.count(component: sink, reason: $1) }
    }
}
