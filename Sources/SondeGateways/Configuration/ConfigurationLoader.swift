import SondeDomain
public import SondeEngine

/// Turns configuration files into a checked configuration.
///
/// Plugins are looked up and described, but no instance is created. Use from one thread.
public struct ConfigurationLoader {
    private let makeCatalog: ([String]) -> any PluginCatalog
    private let files: any FileReader
    private let environment: any EnvironmentReader
    private let host: any HostReader
    private let remote: any RemoteLayerReader
    private let limits = YAMLLimits()

    /// A loader that looks plugins up in the catalog that `catalog` makes for `agent.plugin_dirs`.
    public init(
        catalog makeCatalog: @escaping ([String]) -> any PluginCatalog,
        files: any FileReader = PosixFileReader(),
        environment: any EnvironmentReader = ProcessEnvironmentReader(),
        host: any HostReader = LocalHostReader(),
        remote: any RemoteLayerReader = NoRemoteLayer()
    ) {
        self.makeCatalog = makeCatalog
        self.files = files
        self.environment = environment
        self.host = host
        self.remote = remote
    }

    /// Reads a configuration and checks it.
    public func load(_ origin: any ConfigurationOrigin) -> LoadedConfiguration {
        let reading = reading(origin)
        TopLevelCheck(reading: reading).check()
        return result(configuration(reading), reading)
    }

    /// Reads only the section `agent:`; no plugin is looked up, and nothing else is checked.
    public func loadAgent(_ origin: any ConfigurationOrigin) -> LoadedConfiguration {
        let reading = reading(origin)
        let agent = AgentReader(reading: reading).read()
        return result(AgentConfiguration(agent: agent), reading)
    }

    private func reading(_ origin: any ConfigurationOrigin) -> ConfigurationReading {
        let resolver = ReferenceResolver(environment: environment, files: files, host: host)
        let reading = ConfigurationReading(resolver: resolver)
        for part in files(origin, resolver) { reading.add(part) }
        RemoteFileCheck(reading: reading).check()
        let selection = selection(reading)
        reading.note(host: selection.host)
        selection.selectFiles()
        return reading
    }

    /// The files, with the remote layer after the main one.
    private func files(_ origin: any ConfigurationOrigin, _ resolver: ReferenceResolver) -> [ConfigurationFile] {
        let local = origin.read().map { ConfigurationFile($0, limits: limits) }
        guard local.contains(where: \.namesRemote) else { return local }
        // What is wrong in it is reported when it is read as a whole.
        let reading = ConfigurationReading(resolver: resolver)
        for file in local { reading.add(file) }
        selection(reading).selectFiles()
        guard let part = remote.layer(AgentReader(reading: reading).read()) else { return local }
        return local.prefix(1) + [ConfigurationFile(part, limits: limits)] + local.dropFirst()
    }

    private func selection(_ reading: ConfigurationReading) -> HostSelection {
        HostSelection(reading: reading, host: host.name ?? "")
    }

    private func result(_ configuration: AgentConfiguration, _ reading: ConfigurationReading) -> LoadedConfiguration {
        let problems = reading.sortedProblems()
        let isUsable = problems.allSatisfy { $0.severity == .warning }
        return LoadedConfiguration(
            configuration: isUsable ? configuration : nil,
            draft: configuration,
            problems: problems,
            texts: reading.texts(),
            provenance: reading.provenance
        )
    }

    private func configuration(_ reading: ConfigurationReading) -> AgentConfiguration {
        let agent = AgentReader(reading: reading).read()
        let catalog = makeCatalog(agent.pluginDirectories)
        let selection = selection(reading)
        var ids = IdentifierRegister(reading: reading)
        let sources = ComponentReader(kind: .source, catalog: catalog, reading: reading, selection: selection).read(
            &ids)
        let sinks = ComponentReader(kind: .sink, catalog: catalog, reading: reading, selection: selection).read(&ids)
        let check = TopLevelCheck(reading: reading)
        check.requireEnabled(sources, "source")
        check.requireEnabled(sinks, "sink")
        let configuration = AgentConfiguration(
            agent: agent,
            sources: sources.components.map { $0.source(of: agent, reading) },
            sinks: sinks.components.map { $0.sink(reading) }
        )
        DistinctSourcesCheck(reading: reading).check(configuration)
        SharedOutputCheck(reading: reading).check(configuration)
        LimitCheck(reading: reading).check(configuration)
        InstanceCheck(reading: reading).check(configuration)
        MetricGlobCheck(reading: reading, catalog: catalog).check(configuration)
        return configuration
    }
}
