internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// `config-schema`: the JSON Schema of the configuration, with the options of every plugin that is installed.
struct ConfigSchemaCommand {
    let session: Session

    func run() -> ExitCode {
        let plugins = plugins()
        let view = ConfigurationSchemaView(plugins, session.arguments.has(.fragment) ? .fragment : .main)
        return StandardStream.output(view.bytes)
    }

    /// A plugin that cannot be described is reported and left out.
    private func plugins() -> [PluginDescriptor] {
        let log = session.startupLog
        let catalog = catalog(log)
        return catalog.availableNames.flatMap { name in
            do throws(SondeError) {
                return try catalog.plugins(named: name).map(\.descriptor)
            } catch {
                log.log(.error, error)
                return [PluginDescriptor]()
            }
        }
    }

    /// The plugins of the usual directories, and of those that the file names, which need not be right otherwise.
    private func catalog(_ log: any EventLog) -> any PluginCatalog {
        let catalog = session.catalog(log: log)
        guard let path = session.arguments.configPath else { return catalog }
        return catalog.searching(session.loadAgent(path).draft.agent.pluginDirectories, log: log)
    }
}
