internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// Puts together what reads where the agent is.
enum WebContainer {
    /// Where the agent may answer, in the order in which it is tried.
    static func sockets(_ arguments: WebArguments) throws(SondeError) -> [String] {
        if let socket = arguments.socket { return [socket] }
        let environment = ProcessEnvironmentReader()
        guard let path = arguments.configuration else { return ControlSocketPath.candidates(environment) }
        let loaded = ConfigurationLoader(catalog: { _ in NoPlugins() }).loadAgent(ConfigurationFiles(path))
        guard let configuration = loaded.configuration else {
            throw SondeError(
                loaded.problems.first?.code ?? .configurationUnreadable, stage: .configuration, class: .configuration,
                message: "where the control socket is cannot be read from '\(path)'",
                recovery: [.advise(ConfigurationReportView.text(ConfigurationReportState(loaded)))])
        }
        return ControlSocketPath.candidates(configuration.agent.controlSocket, environment)
    }
}

/// The section `agent:` is read without any plugin.
private final class NoPlugins: PluginCatalog {
    let availableNames: [String] = []

    func plugin(
        named name: String, kind: PluginDescriptor.Kind?, isolation: Isolation?
    ) throws(SondeError) -> any LoadedPlugin {
        throw SondeError(
            .configuredPluginUnknown, stage: .loading, class: .configuration, message: "plugins are not looked for")
    }

    func searching(_ directories: [String], log: any EventLog) -> any PluginCatalog { self }
}
