internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// `run`: the agent, until a signal or until every sink's output is closed.
struct RunCommand {
    let session: Session

    func run() -> ExitCode {
        do throws(SondeError) {
            // Memory touched by starting the process is freed before reading the configuration touches more.
            ResidentMemory.release()
            // Before any thread exists, and before plugins may start some: threads inherit the blocked set.
            let signals = try SignalReader([SIGTERM, SIGINT, SIGHUP])
            // Before any process is started.
            ControlGroups.takeOver()
            let remote = RemoteFollower.makeConfiguration(log: session.startupLog)
            var session = session
            session.remote = remote
            let start = RemoteStart(session: session, remote: remote).load()
            session.report(start.checked.loaded)
            guard let configuration = start.checked.loaded.configuration else { return .configuration }
            return try RunCommand(session: session).run(configuration, start, remote, signals)
        } catch {
            session.startupLog.log(.error, error)
            return ExitCode(error)
        }
    }

    private func run(
        _ configuration: AgentConfiguration,
        _ start: RemoteStart.Result,
        _ remote: RemoteConfiguration,
        _ signals: SignalReader
    ) throws(SondeError) -> ExitCode {
        let log = session.log(for: configuration.agent)
        let (checked, limiter) = (start.checked, start.limiter)
        let digest = ConfigurationText.digest(of: checked.loaded.texts)
        let container = AppContainer(
            configuration: configuration, catalog: checked.catalog, log: log, made: checked.made)
        let screen = LiveScreen(log)
        // What was logged while the terminal was painted is read below the last table.
        defer { log.release() }
        let agent = try container.makeAgent(
            configurationPath: session.arguments.configPath, digest: digest, screen: screen)
        let (mailbox, reload) = (RosterMailbox(), ReloadThread())
        let reader = ReloadReader(session, checked.catalog, start.read, limiter, log)
        let instances = RunningInstances(session, reader, agent.parts, container, mailbox, log)
        let notifier = ServiceNotifier(environment: ProcessEnvironmentReader())
        let inForce = reader.checked(configuration, digest: digest)
        let reconfigure = serve(reload, reader, inForce, instances, agent.parts, container, notifier, remote)
        let follower = RemoteFollower(remote, session, agent.parts, reload.requests, log)
        let limits = try makeLimits(limiter, reconfigure, follower, agent.parts, container)
        let keyboard = screen?.isPainted == true ? Keyboard(STDIN_FILENO) : nil
        defer { keyboard?.restore() }
        let runtime = try AgentRuntime(
            sources: agent.sources,
            sinks: agent.sinks,
            pipeline: agent.parts.pipeline,
            grace: { instances.grace },
            control: makeControlServer(agent.parts, container, reload.requests),
            health: agent.parts.health,
            housekeeping: agent.housekeeping,
            keepers: [agent.history?.keeper, limits].compactMap(\.self),
            reload: reload,
            mailbox: mailbox,
            notifier: notifier,
            status: { [board = agent.parts.board] in board.line },
            signals: signals,
            keyboard: keyboard,
            clock: container.clock,
            log: log
        )
        if session.arguments.configPath != nil { announce(configuration, agent.parts.spool, log) }
        try follower?.start()
        let end = try runtime.run()
        remote.stop()
        agent.parts.runMark?.stop()
        for entry in container.ledger.all {
            let amount = entry.count.map { "\($0)" } ?? "an unknown number"
            log.log(.warning, "lost in all: \(amount) (\(entry.reason))", component: entry.component)
        }
        return end == .stopped ? .ok : .failure
    }

    /// Serves requests for a reload, where there is a file to read; returns what carries them out.
    private func serve(
        _ reload: ReloadThread,
        _ reader: ReloadReader,
        _ inForce: CheckedConfiguration,
        _ instances: RunningInstances,
        _ parts: AppContainer.SharedParts,
        _ container: AppContainer,
        _ notifier: ServiceNotifier,
        _ remote: RemoteConfiguration
    ) -> Reconfigure? {
        guard session.arguments.configPath != nil else {
            let log = container.log
            reload.serve {
                let error = SondeError(reload: .reloadRefused, "the agent was started without a configuration file")
                log.log(.warning, error)
                return .failed(error)
            }
            return nil
        }
        let reconfigure = Reconfigure(
            inForce, reader: reader, instances: instances, clock: container.clock,
            log: container.log)
        parts.board.watch(agent: { reconfigure.failures })
        reload.serve {
            notifier.reloading()
            defer { notifier.ready() }
            // What did not fit the files of this host may do so now.
            let use = remote.use
            remote.use(.inForce)
            let outcome = reconfigure()
            if case .failed = outcome { remote.use(use) }
            return outcome
        }
        return reconfigure
    }

    /// What keeps the agent within its limits; nil: it has none.
    private func makeLimits(
        _ limiter: ConfigurationLimiter?,
        _ reconfigure: Reconfigure?,
        _ follower: RemoteFollower?,
        _ parts: AppContainer.SharedParts,
        _ container: AppContainer
    ) throws(SondeError) -> Housekeeping? {
        guard let limiter, let reconfigure else { return nil }
        let family = ProcessFamily()
        let keep = KeepLimits(
            container.configuration.agent.limits.resources, limiter, usage: { family.usage },
            apply: { (level) throws(SondeError) in
                try reconfigure.adjust(limiter, to: level) { follower?.excuse($0) }
            },
            clock: container.clock, log: container.log)
        parts.board.watch(agent: { keep.failures })
        parts.board.watch(limits: { keep.status })
        let timer = try Timer()
        timer.arm(at: container.clock.monotonicTime)
        return Housekeeping("limits", timer: timer, clock: container.clock) { keep.run() }
    }

    private func makeControlServer(
        _ parts: AppContainer.SharedParts,
        _ container: AppContainer,
        _ reload: ReconfigureRequests
    ) -> ControlServer? {
        let path = ControlSockets.path(
            container.configuration.agent.controlSocket,
            hasConfigurationFile: session.arguments.configPath != nil
        )
        return path.map { container.makeControlServer(at: $0, parts, reload) }
    }

    private func announce(_ configuration: AgentConfiguration, _ spool: SpoolFactory.Opened, _ log: any EventLog) {
        let sources = configuration.sources.map(\.id).joined(separator: ", ")
        let sinks = configuration.sinks.map(\.id).joined(separator: ", ")
        log.log(.info, "sonde \(Version.text) runs: \(sources) to \(sinks)", component: nil)
        guard spool.kind == .memory else { return }
        log.log(.info, "points wait in memory: what is not delivered is lost when the agent ends", component: nil)
    }
}
