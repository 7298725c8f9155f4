internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import Synchronization

/// Reads what the agent was started with once more, as a start does.
///
/// The catalog is not thread-safe; it is used before the loop runs, and then by one reload at a time.
final class ReloadReader: ConfigurationReader, @unchecked Sendable {
    private let session: Session
    private let log: any EventLog
    /// The plugins of the configuration that was read last.
    private(set) var catalog: any PluginCatalog
    /// Makes of what was read what is in force; nil: the agent has no limits.
    private let limiter: ConfigurationLimiter?
    // What is in force as it was read, and what was read since.
    private var accepted: LoadedConfiguration
    private var candidate: LoadedConfiguration?
    // The instances made when it was read, until the change takes them or another is read.
    private var made: MadeInstances?

    init(
        _ session: Session, _ catalog: any PluginCatalog, _ accepted: LoadedConfiguration,
        _ limiter: ConfigurationLimiter?, _ log: any EventLog
    ) {
        self.session = session
        self.accepted = accepted
        self.limiter = limiter
        self.catalog = catalog
        self.log = log
    }

    func read(inForce: CheckedConfiguration) -> ConfigurationReadResult {
        let (read, catalog) = session.load(from: catalog, log: log)
        self.catalog = catalog
        candidate = read
        return check(read, inForce)
    }

    func readAgain(inForce: CheckedConfiguration) -> ConfigurationReadResult {
        check(accepted, inForce)
    }

    /// What was read last is in force.
    func accept() {
        guard let candidate else { return }
        accepted = candidate
        self.candidate = nil
        limiter?.noteInForce(accepted, catalog)
    }

    private func check(_ read: LoadedConfiguration, _ inForce: CheckedConfiguration) -> ConfigurationReadResult {
        let read = limiter?.limited(read, catalog) ?? read
        // An instance runs with the same options: its plugin need not validate them again.
        let digest = ConfigurationText.digest(of: read.texts)
        let change = ConfigurationChange(from: inForce, to: checked(read.draft, digest: digest))
        let result = session.checked(read, catalog, of: change.coming, log: log)
        let problems = result.loaded.problems
        guard let configuration = result.loaded.configuration else { return .unusable(problems) }
        // A change of what is fixed is refused.
        made = change.fixedKeys.isEmpty ? result.made : nil
        return .usable(checked(configuration, digest: digest), problems)
    }

    /// The instances that were made when the configuration was read, once.
    func takeMade() -> MadeInstances? {
        defer { made = nil }
        return made
    }

    /// A reader for a configuration whose plugins the catalog has.
    func checked(_ configuration: AgentConfiguration, digest: String) -> CheckedConfiguration {
        let plugins =
            configuration.sources.map { ($0.plugin, $0.isolation) }
            + configuration.sinks.map { ($0.plugin, $0.isolation) }
        var files: [String: String] = [:]
        for (name, isolation) in plugins where files[name] == nil {
            // It was described when the configuration was read.
            if let plugin = try? catalog.plugin(named: name, isolation: isolation) { files[name] = plugin.path }
        }
        return CheckedConfiguration(configuration, pluginFiles: files, digest: digest)
    }
}
