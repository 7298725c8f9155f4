public import SondeDomain
public import SondeEngine

/// Plugins that exist only as descriptors, for tests of what is configured.
public final class FakePluginCatalog: PluginCatalog {
    private var plugins: [String: [FakePlugin]]
    private var refusals: [String: SondeError] = [:]
    /// The names that were asked for, in order.
    public private(set) var requestedNames: [String] = []

    /// A catalog.
    public init(_ plugins: [FakePlugin] = []) {
        self.plugins = Dictionary(grouping: plugins) { $0.descriptor.name }
    }

    /// A catalog of plugins that can be described and not made.
    public convenience init(_ descriptors: [PluginDescriptor]) {
        self.init(descriptors.map { FakePlugin($0) })
    }

    /// Makes the catalog list a plugin and refuse to load it.
    public func refuse(_ name: String, with error: SondeError) {
        refusals[name] = error
    }

    /// The plugin of that name, of the kind that is wanted where there is one.
    public func plugin(
        named name: String, kind: PluginDescriptor.Kind?, isolation: Isolation?
    ) throws(SondeError) -> any LoadedPlugin {
        requestedNames.append(name)
        if let refusal = refusals[name] { throw refusal }
        let named = plugins[name] ?? []
        guard let plugin = named.first(where: { $0.descriptor.kind == kind }) ?? named.first else {
            throw SondeError(
                .pluginNotFound, stage: .loading, class: .configuration, message: "there is no plugin '\(name)'")
        }
        return plugin
    }

    /// This catalog: it looks into no directories.
    public func searching(_ directories: [String], log: any EventLog) -> any PluginCatalog { self }

    /// The names of every plugin, sorted.
    public var availableNames: [String] {
        Set(plugins.keys).union(refusals.keys).sorted()
    }
}
