internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// `doctor`: looks at everything that has to be right on this host, and says how to mend what is not.
///
/// A running agent is asked how its sources do. Without one they run for a second, as by `once`. Sinks are connected to from
/// here, and nothing is sent.
struct DoctorCommand {
    /// How long a sink may take to connect.
    private static let patience = Nanoseconds.seconds(10)
    private static let usualPath = "/etc/sonde/sonde.yaml"

    let session: Session

    func run() throws(SondeError) -> ExitCode {
        let (agent, answer) = askAgent()
        let session = session.reading(path(agent))
        let checked = session.loadChecked()
        var findings = self.configuration(session, checked.loaded) + answer
        if let configuration = checked.loaded.configuration {
            // A sink that fails the same way in the agent and from here has one failure.
            findings += try look(configuration, checked, agent).filter { finding in
                !answer.contains { $0.component == finding.component && $0.code != nil && $0.code == finding.code }
            }
        }
        let view = DiagnosisView(findings, columns: StandardStream.outputColumns)
        let shown =
            switch session.arguments.format {
            case .json: StandardStream.output(view.json + [0x0a])
            case .table: StandardStream.output(view.lines)
            }
        return shown == .ok && findings.contains { $0.severity == .problem } ? .failure : shown
    }

    // MARK: Agent

    /// The status of the running agent; nil: it did not answer.
    private func askAgent() -> (StatusState?, [Finding]) {
        do throws(SondeError) {
            let state = StatusState(
                try AgentQuery(session: session, unreadable: .isForItsAgent).ask("status", for: "status"))
            return (state, state.findings)
        } catch {
            guard error.stage != .configuration else {
                return (nil, [Finding(.agent, .unknown, "its control socket is not known, so it was not asked")])
            }
            guard error.code == .controlNotAnswered else {
                return (nil, [Finding(.agent, of: error, severity: .unknown)])
            }
            let fixes = [
                Finding.Fix(.command, ["systemctl start sonde"]),
                Finding.Fix(.advice, ["Without an agent sources were read, and sinks connected to, as this user."]),
            ]
            return (nil, [Finding(.agent, .warning, "no agent answers", fixes: fixes)])
        }
    }

    // MARK: Configuration

    /// The configuration to look at: the one that is named, the agent's, or the package's; nil: the built-in one.
    private func path(_ agent: StatusState?) -> String? {
        if let named = session.arguments.configPath { return named }
        if let agent { return agent.configurationPath }
        return access(Self.usualPath, F_OK) == 0 ? Self.usualPath : nil
    }

    private func configuration(_ session: Session, _ loaded: LoadedConfiguration) -> [Finding] {
        let name = session.arguments.configPath ?? "the built-in configuration"
        let problems = loaded.problems.map(Finding.init)
        guard problems.contains(where: { $0.severity == .problem }) else {
            return [Finding(.configuration, .good, "\(name) is valid")] + problems
        }
        return problems
    }

    // MARK: Host, sources and sinks

    private func look(
        _ configuration: AgentConfiguration, _ checked: Session.Checked, _ agent: StatusState?
    ) throws(SondeError) -> [Finding] {
        let host = HostConditionReader().read(
            process: agent?.processID, stateDirectory: configuration.agent.stateDirectory)
        let sources = try configuration.sources.map { (source) throws(SondeError) in
            (source, try checked.catalog.plugin(of: source, kind: .source).descriptor)
        }
        var findings = DiagnoseHost(configuration, host)(sources)
        if agent == nil { findings += try collect(configuration, checked.catalog) }
        return findings
            + connect(configuration, checked.made) { sink in
                (try? checked.catalog.plugin(of: sink, kind: .sink))?.descriptor.delivery == .live
            }
    }

    private func collect(
        _ configuration: AgentConfiguration, _ catalog: any PluginCatalog
    ) throws(SondeError) -> [Finding] {
        let container = AppContainer(configuration: configuration, catalog: catalog, log: UnheardLog())
        let (entries, _) = try OnceCollection(container).collect()
        return entries.map { entry in
            let status = entry.current
            let failures = ([status.failure, status.hang].compactMap(\.self) + status.troubles).filter {
                $0.ended == nil
            }
            guard let failure = failures.first else {
                return Finding(.source, .good, "collects", component: status.id)
            }
            return Finding(.source, of: failure.error)
        }
    }

    private func connect(
        _ configuration: AgentConfiguration, _ made: MadeInstances, isLive: (SinkConfiguration) -> Bool
    ) -> [Finding] {
        configuration.sinks.compactMap { (sink) -> Finding? in
            guard let instance = made.takeSink(sink.id)?.instance else { return nil }
            defer { instance.close() }
            let now = session.clock
            let call = CallConditions(
                cancelDescriptor: -1, deadline: now.monotonicTime.advanced(by: Self.patience), time: now.wallTime,
                interval: .zero)
            do throws(SondeError) {
                switch try instance.probe(call) {
                case .reached:
                    return Finding(.sink, .good, "can be connected to from here; nothing was sent", component: sink.id)
                case .notOffered:
                    // One that prints has nothing to connect to.
                    guard !isLive(sink) else { return nil }
                    return Finding(
                        .sink, .unknown, "the plugin \(sink.plugin) connects to nothing before it delivers",
                        component: sink.id)
                case .cancelled: return Finding(.sink, .unknown, "gave up connecting", component: sink.id)
                }
            } catch {
                return Finding(.sink, of: error)
            }
        }
    }
}

extension Finding {
    /// A problem of the configuration, at its place.
    fileprivate init(_ problem: ConfigurationProblem) {
        self.init(
            .configuration, problem.severity == .error ? .problem : .warning,
            "\(problem.mark): \(problem.message)", code: problem.code,
            fixes: problem.suggestion.map { [Fix(.advice, [$0])] } ?? [])
    }
}
