internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

extension ConfigurationLimiter {
    /// The limiter of a configuration that limits processor time or memory; nil for others.
    convenience init?(for loaded: LoadedConfiguration) {
        guard let limits = loaded.configuration?.agent.limits.resources, !limits.isEmpty else { return nil }
        self.init(limits) { DefaultText.value(of: $0, $1) }
    }

    /// What was read, at the level in force.
    func limited(_ loaded: LoadedConfiguration, _ catalog: any PluginCatalog) -> LoadedConfiguration {
        loaded.mapping { limited($0) { Self.descriptor(of: $0, in: catalog) } }
    }

    /// This is in force, at whatever level.
    func noteInForce(_ read: LoadedConfiguration, _ catalog: any PluginCatalog) {
        guard let configuration = read.configuration else { return }
        noteInForce(configuration) { Self.descriptor(of: $0, in: catalog) }
    }

    // It was described when the configuration was read.
    private static func descriptor(of source: SourceConfiguration, in catalog: any PluginCatalog) -> PluginDescriptor? {
        try? catalog.plugin(of: source, kind: .source).descriptor
    }
}
