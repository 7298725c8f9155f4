internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import Synchronization

/// Reads the file that the agent was started with once more, as a start does.
///
/// The catalog is not safe for threads; it is used before the loop runs, and then by one reload at a time.
final class ReloadReader: ConfigurationReader, @unchecked Sendable {
    private let session: Session
    private let log: any EventLog
    /// The plugins of the configuration that was read last.
    private(set) var catalog: DirectoryPluginCatalog

    init(_ session: Session, _ catalog: DirectoryPluginCatalog, _ log: any EventLog) {
        self.session = session
        self.catalog = catalog
        self.log = log
    }

    func read() -> ConfigurationReadResult {
        let (loaded, catalog) = session.loadChecked(after: catalog, log: log)
        self.catalog = catalog
        guard let configuration = loaded.configuration else { return .unusable(loaded.problems) }
        return .usable(checked(configuration), loaded.problems)
    }

    /// A configuration whose plugins the catalog has.
    func checked(_ configuration: AgentConfiguration) -> CheckedConfiguration {
        let names = Set(configuration.sources.map(\.plugin) + configuration.sinks.map(\.plugin))
        var files: [String: String] = [:]
        for name in names {
            // It was described when the configuration was read.
            if let plugin = try? catalog.plugin(named: name) { files[name] = plugin.path }
        }
        return CheckedConfiguration(configuration, pluginFiles: files)
    }
}
