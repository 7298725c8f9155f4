public import SondeDomain
public import SondeEngine

/// Searches several catalogs in order: the first that has a plugin provides it.
///
/// A plugin that is found and refused ends the search: one of the same name in another catalog must not replace it
/// silently. Used from one thread at a time.
public final class PluginCatalogChain: PluginCatalog {
    private let catalogs: [any PluginCatalog]

    /// A catalog of what these have.
    public init(_ catalogs: [any PluginCatalog]) {
        self.catalogs = catalogs
    }

    /// The names of every plugin that one of them has, sorted.
    public var availableNames: [String] { Set(catalogs.flatMap(\.availableNames)).sorted() }

    /// The plugin of that name from the first catalog that has it.
    public func plugin(
        named name: String, kind: PluginDescriptor.Kind?, isolation: Isolation?
    ) throws(SondeError) -> any LoadedPlugin {
        var places: [String] = []
        for catalog in catalogs {
            do throws(SondeError) {
                return try catalog.plugin(named: name, kind: kind, isolation: isolation)
            } catch {
                guard error.code == .pluginNotFound else { throw error }
                places += error.cause
            }
        }
        throw .pluginNotFound(name, in: places, availableNames)
    }

    /// The same catalogs in the same order, each of which searches these directories too if it searches any.
    public func searching(_ directories: [String], log: any EventLog) -> any PluginCatalog {
        PluginCatalogChain(catalogs.map { $0.searching(directories, log: log) })
    }
}
