internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// The common start of every command: the arguments, a log, and a configuration that was read and checked.
struct Session {
    let arguments: Arguments
    let clock = SystemClock()
    /// The remote layer of what is read.
    var remote: any RemoteLayerReader

    /// A session with what the agent keeps of the remote configuration, or what an option gives in its place.
    init(arguments: Arguments) {
        self.arguments = arguments
        remote =
            switch arguments[.remote] {
            case nil: KeptRemoteLayer()
            case "none": NoRemoteLayer()
            case let path?: GivenRemoteLayer(path)
            }
    }

    /// The same with another configuration; nil: the built-in one.
    func reading(_ configuration: String?) -> Session {
        Session(arguments: arguments.reading(configuration))
    }

    /// A log on standard error for what happens before the configuration is known.
    var startupLog: StreamLog {
        StreamLog(
            descriptor: STDERR_FILENO,
            level: arguments.isQuiet ? .error : .info,
            format: .text,
            stamp: stamp,
            clock: clock
        )
    }

    /// The log of the agent has times; the output of other commands does not need them.
    private var stamp: StreamLog.Stamp {
        arguments.command == .run ? JournalStream.stamp(of: STDERR_FILENO, ProcessEnvironmentReader()) : .none
    }

    /// The origin of the configuration.
    var origin: any ConfigurationOrigin { AppContainer.origin(arguments.configPath) }

    /// The log as configured.
    func log(for agent: AgentSettings) -> StreamLog {
        StreamLog(
            descriptor: STDERR_FILENO,
            level: level(for: agent),
            format: agent.logFormat,
            stamp: stamp,
            clock: clock
        )
    }

    /// The least urgent line that is logged.
    func level(for agent: AgentSettings) -> LogLevel {
        arguments.isQuiet ? max(agent.logLevel, .error) : agent.logLevel
    }

    /// The plugins that this process can find before a configuration was read.
    func catalog(log: any EventLog) -> any PluginCatalog {
        warnOfUnreadableDirectories(log)
        return AppContainer.catalog(arguments.pluginDirectories, log: log)
    }

    private func warnOfUnreadableDirectories(_ log: any EventLog) {
        for directory in arguments.pluginDirectories where access(directory, R_OK | X_OK) != 0 {
            let reason = String(cString: strerror(errno))
            log.log(.warning, "--plugin-dir '\(directory)' is not searched: \(reason)", component: nil)
        }
    }

    /// Reads the configuration, or the built-in one, and the catalog that its plugins came from.
    ///
    /// `known` is the catalog of an agent that runs.
    func load(
        from known: (any PluginCatalog)? = nil,
        log: (any EventLog)? = nil
    ) -> (loaded: LoadedConfiguration, catalog: any PluginCatalog) {
        let log = log ?? startupLog
        let known = known ?? catalog(log: log)
        var catalog = known
        let loader = ConfigurationLoader(
            catalog: { directories in
                catalog = known.searching(directories, log: log)
                return catalog
            }, host: LocalHostReader(name: arguments[.host]), remote: remote)
        return (loader.load(origin), catalog)
    }

    /// Reads the configuration and adds the plugins' own errors about their options: nothing is started.
    func loadChecked() -> Checked {
        let (loaded, catalog) = load()
        return checked(loaded, catalog, log: startupLog)
    }

    /// A configuration that plugins have validated, their origin, and the instances that were made for it.
    struct Checked {
        let loaded: LoadedConfiguration
        let catalog: any PluginCatalog
        let made: MadeInstances
    }

    /// Adds the plugins' own errors about the options of the instances with these ids; nil: of all.
    func checked(
        _ loaded: LoadedConfiguration,
        _ catalog: any PluginCatalog,
        of ids: Set<String>? = nil,
        log: any EventLog
    ) -> Checked {
        let container = AppContainer(configuration: loaded.draft, catalog: catalog, log: log)
        let (failures, made) = container.tryInstances(of: ids)
        let problems = InstanceProblems(failures, in: loaded).problems
        let complete = LoadedConfiguration(
            configuration: problems.isEmpty ? loaded.configuration : nil,
            draft: loaded.draft,
            problems: (loaded.problems + problems).sorted { $0.mark.isBefore($1.mark) },
            texts: loaded.texts,
            provenance: loaded.provenance
        )
        return Checked(loaded: complete, catalog: catalog, made: made)
    }

    /// Reads only the section `agent:` of a configuration file; no plugin is loaded.
    func loadAgent(_ path: String) -> LoadedConfiguration {
        let catalog = catalog(log: startupLog)
        return ConfigurationLoader(catalog: { _ in catalog }).loadAgent(AppContainer.origin(path))
    }

    /// Reads the configuration and reports its problems on standard error; nil when it cannot be used.
    func loadReporting() -> (configuration: AgentConfiguration, catalog: any PluginCatalog)? {
        let (loaded, catalog) = load()
        report(loaded)
        return loaded.configuration.map { ($0, catalog) }
    }

    /// Reports the problems of a configuration on standard error.
    func report(_ loaded: LoadedConfiguration) {
        let text = ConfigurationReportView.text(ConfigurationReportState(loaded))
        guard !text.isEmpty else { return }
        StandardStream.error(String(text.dropLast()))
    }
}
