internal import SondeEngine
internal import SondeGateways

/// The origins of plugins and configurations: further kinds of either are added only here.
extension AppContainer {
    /// The plugins that are built in, of the directories given, and of the standard ones.
    static func catalog(_ given: [String], log: any EventLog) -> any PluginCatalog {
        PluginCatalogChain([
            ExecCatalog(programs: .installed),
            DirectoryPluginCatalog(
                .standard(given: given), builtIn: BuiltInPlugin.all, trial: .childProcess, programs: .installed,
                log: log),
        ])
    }

    /// The plugins that a child looks for one in; the child is what would crash of it.
    static func childCatalog(_ directories: [String], log: any EventLog) -> any PluginCatalog {
        DirectoryPluginCatalog(PluginSearchPath(directories), builtIn: BuiltInPlugin.all, log: log)
    }

    /// The file at a path with what `conf.d` beside it adds, or the built-in configuration.
    static func origin(_ path: String?) -> any ConfigurationOrigin {
        path.map { ConfigurationFiles($0) } ?? BuiltInConfiguration()
    }
}
