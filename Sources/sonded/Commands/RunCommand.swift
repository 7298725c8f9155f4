internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// `run`: the agent, until a signal or until every sink's output has gone.
struct RunCommand {
    let session: Session

    func run() -> ExitCode {
        do throws(SondeError) {
            // Before any thread exists, and before plugins may start some: threads inherit the blocked set.
            let signals = try SignalReader([SIGTERM, SIGINT, SIGHUP])
            let (loaded, catalog) = session.loadChecked()
            session.report(loaded)
            guard let configuration = loaded.configuration else { return .configuration }
            return try run(configuration, catalog, signals)
        } catch {
            session.startupLog.log(.error, error)
            return ExitCode(error)
        }
    }

    private func run(
        _ configuration: AgentConfiguration,
        _ catalog: any PluginCatalog,
        _ signals: SignalReader
    ) throws(SondeError) -> ExitCode {
        let log = session.log(for: configuration.agent)
        let container = AppContainer(configuration: configuration, catalog: catalog, log: log)
        let agent = try container.makeAgent(configurationPath: session.arguments.configPath)
        let runtime = try AgentRuntime(
            sources: agent.sources,
            sinks: agent.sinks,
            pipeline: agent.pipeline,
            grace: configuration.agent.shutdownGrace,
            control: makeControlServer(agent, container),
            housekeeping: agent.housekeeping,
            keepers: agent.history.map { [$0.keeper] } ?? [],
            signals: signals,
            clock: container.clock,
            log: log
        )
        if session.arguments.configPath != nil { announce(configuration, agent.spool, log) }
        let end = try runtime.run()
        for entry in container.ledger.all {
            let amount = entry.count.map { "\($0)" } ?? "an unknown number"
            log.log(.warning, "lost in all: \(amount) (\(entry.reason))", component: entry.component)
        }
        return end == .stopped ? .ok : .failure
    }

    private func makeControlServer(_ agent: AppContainer.Agent, _ container: AppContainer) -> ControlServer? {
        let path = ControlSockets.path(
            container.configuration.agent.controlSocket,
            hasConfigurationFile: session.arguments.configPath != nil
        )
        return path.map { path in
            ControlServer(
                path: path,
                handlers: container.makeHandlers(agent),
                clock: container.clock,
                log: container.log
            )
        }
    }

    private func announce(_ configuration: AgentConfiguration, _ spool: SpoolFactory.Opened, _ log: any EventLog) {
        let sources = configuration.sources.map(\.id).joined(separator: ", ")
        let sinks = configuration.sinks.map(\.id).joined(separator: ", ")
        log.log(.info, "sonde \(Version.text) runs: \(sources) to \(sinks)", component: nil)
        guard spool.kind == .memory else { return }
        log.log(.info, "points wait in memory: what is not delivered is lost when the agent ends", component: nil)
    }
}
