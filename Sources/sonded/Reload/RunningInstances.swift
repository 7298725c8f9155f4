internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import Synchronization

/// The sources and sinks of the running agent, and what else a reload can change in it.
final class RunningInstances: ReconfigurableInstances {
    private let session: Session
    private let reader: ReloadReader
    private let parts: AppContainer.SharedParts
    private let ledger: LossLedger
    private let meanings: MetricMeanings
    private let mailbox: RosterMailbox
    private let log: StreamLog
    private let clock: any Clock
    private let settings: Mutex<AgentSettings>

    init(
        _ session: Session,
        _ reader: ReloadReader,
        _ parts: AppContainer.SharedParts,
        _ container: AppContainer,
        _ mailbox: RosterMailbox,
        _ log: StreamLog
    ) {
        self.session = session
        self.reader = reader
        self.parts = parts
        self.mailbox = mailbox
        self.log = log
        ledger = container.ledger
        meanings = container.meanings
        clock = container.clock
        settings = Mutex(container.configuration.agent)
        parts.board.arrange(Self.order(container.configuration))
    }

    /// How long a stop may take.
    var grace: Nanoseconds { settings.withLock { $0.shutdownGrace } }

    func carryOut(_ change: ConfigurationChange) throws(SondeError) -> [String] {
        let newcomers = try makeNewcomers(change)
        let hanging: [String]
        do throws(SondeError) {
            hanging = try mailbox.submit(
                RosterChange(leaving: Self.leaving(change), newcomers: newcomers, grace: grace))
        } catch {
            dismiss(newcomers)
            throw error
        }
        adopt(change.next.configuration)
        return hanging
    }

    func noteInForce(_ configuration: CheckedConfiguration) {
        reader.accept()
        parts.health.reconfigure(configuration.configuration.agent, configuration.digest)
    }

    func retryIfHeld(_ id: String) {
        if parts.board.isHeld(id) { _ = parts.snapshots.retry(id) }
    }

    /// All added runners, started and held; sinks first, so that they get what the new sources read first.
    private func makeNewcomers(_ change: ConfigurationChange) throws(SondeError) -> [any InstanceRunner] {
        let configuration = change.next.configuration
        let container = AppContainer(
            configuration: configuration, catalog: reader.catalog, log: log, ledger: ledger, meanings: meanings,
            made: reader.takeMade())
        let coming = change.coming
        var newcomers: [any InstanceRunner] = []
        do throws(SondeError) {
            for sink in configuration.sinks where coming.contains(sink.id) {
                newcomers.append(try started(container.makeSink(sink, on: parts, wish: .hold)))
            }
            for source in configuration.sources where coming.contains(source.id) {
                newcomers.append(try started(container.makeSource(source, on: parts, wish: .hold)))
            }
        } catch {
            dismiss(newcomers)
            throw error
        }
        return newcomers
    }

    private func started(_ runner: any InstanceRunner) throws(SondeError) -> any InstanceRunner {
        try runner.start()
        return runner
    }

    /// They were held all the time: their threads end at once.
    private func dismiss(_ newcomers: [any InstanceRunner]) {
        for runner in newcomers { runner.stop(.withAgent, by: clock.monotonicTime) }
        for runner in newcomers { runner.join() }
    }

    private func adopt(_ configuration: AgentConfiguration) {
        let agent = configuration.agent
        settings.withLock { $0 = agent }
        log.change(level: session.level(for: agent), format: agent.logFormat)
        parts.spool.store.resource.labels = agent.labels.sorted()
        parts.board.arrange(Self.order(configuration))
    }

    private static func order(_ configuration: AgentConfiguration) -> [String] {
        configuration.sources.map(\.id) + configuration.sinks.map(\.id)
    }

    private static func leaving(_ change: ConfigurationChange) -> [String: InstanceControl.Departure] {
        var leaving: [String: InstanceControl.Departure] = [:]
        for id in change.sources.changed + change.sinks.changed { leaving[id] = .handOver }
        for id in change.sources.removed + change.sinks.removed { leaving[id] = .forGood }
        return leaving
    }
}
