internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// What every command begins with: the arguments, a log, and a configuration that was read and reported on.
struct Session {
    let arguments: Arguments
    let clock = SystemClock()

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

    /// The log of the agent has times; what other commands say is read at once.
    private var stamp: StreamLog.Stamp {
        arguments.command == .run ? JournalStream.stamp(of: STDERR_FILENO, ProcessEnvironmentReader()) : .none
    }

    /// The log that the configuration asks for.
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

    /// The plugins of the directories given, then of those that the configuration names, then of the standard ones.
    func catalog(_ configured: [String] = [], log: any EventLog) -> DirectoryPluginCatalog {
        // The catalog of the configured directories is the second one of a command.
        if configured.isEmpty { warnOfUnreadableDirectories(log) }
        let directories = PluginSearchPath.standard(given: arguments.pluginDirectories + configured)
        return DirectoryPluginCatalog(directories, trial: .childProcess, log: log)
    }

    private func warnOfUnreadableDirectories(_ log: any EventLog) {
        for directory in arguments.pluginDirectories where access(directory, R_OK | X_OK) != 0 {
            let reason = String(cString: strerror(errno))
            log.log(.warning, "--plugin-dir '\(directory)' is not searched: \(reason)", component: nil)
        }
    }

    /// Reads the configuration, or the built-in one, and the catalog that its plugins came from.
    ///
    /// `linked` is the catalog of an agent that runs.
    func load(
        after linked: DirectoryPluginCatalog? = nil,
        log: (any EventLog)? = nil
    ) -> (loaded: LoadedConfiguration, catalog: DirectoryPluginCatalog) {
        let log = log ?? startupLog
        let search = { directories in
            linked?.searching(.standard(given: arguments.pluginDirectories + directories), log: log)
                ?? self.catalog(directories, log: log)
        }
        var catalog = search([])
        let loader = ConfigurationLoader(catalog: { directories in
            if !directories.isEmpty { catalog = search(directories) }
            return catalog
        })
        let loaded = arguments.configPath.map { loader.load(path: $0) } ?? loader.loadDefault()
        return (loaded, catalog)
    }

    /// Reads the configuration and adds what the plugins themselves say of their options: nothing is started.
    func loadChecked(
        after linked: DirectoryPluginCatalog? = nil,
        log: (any EventLog)? = nil
    ) -> (loaded: LoadedConfiguration, catalog: DirectoryPluginCatalog) {
        let (loaded, catalog) = load(after: linked, log: log)
        let container = AppContainer(configuration: loaded.draft, catalog: catalog, log: log ?? startupLog)
        let problems = InstanceProblems(container.validateInstances(), in: loaded).problems
        let complete = LoadedConfiguration(
            configuration: problems.isEmpty ? loaded.configuration : nil,
            draft: loaded.draft,
            problems: (loaded.problems + problems).sorted { $0.mark.isBefore($1.mark) },
            texts: loaded.texts
        )
        return (complete, catalog)
    }

    /// Reads the section `agent:` of a configuration file alone; no plugin is loaded.
    func loadAgent(_ path: String) -> LoadedConfiguration {
        let log = startupLog
        return ConfigurationLoader(catalog: { catalog($0, log: log) }).loadAgent(path: path)
    }

    /// Reads the configuration and reports its problems on standard error; nil when it cannot be used.
    func loadReporting() -> (configuration: AgentConfiguration, catalog: DirectoryPluginCatalog)? {
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
