import SondeDomain
public import SondeEngine

/// Turns configuration files into a checked configuration.
///
/// Plugins are looked up and described, none is created. Use from one thread.
public struct ConfigurationLoader {
    private let makeCatalog: ([String]) -> any PluginCatalog
    private let files: any FileReader
    private let environment: any EnvironmentReader
    private let limits = YAMLLimits()

    /// A loader that looks plugins up in what `catalog` makes of `agent.plugin_dirs`.
    public init(
        catalog makeCatalog: @escaping ([String]) -> any PluginCatalog,
        files: any FileReader = PosixFileReader(),
        environment: any EnvironmentReader = ProcessEnvironmentReader()
    ) {
        self.makeCatalog = makeCatalog
        self.files = files
        self.environment = environment
    }

    /// Reads a file and what `conf.d/*.yaml` beside it adds, in the order of the names.
    public func load(path: String) -> LoadedConfiguration {
        load(FileSetReader(files: files, limits: limits).read(path))
    }

    /// Reads only the section `agent:` of the same files; no plugin is looked up, and nothing else is checked.
    public func loadAgent(path: String) -> LoadedConfiguration {
        let reading = reading(FileSetReader(files: files, limits: limits).read(path))
        let agent = AgentReader(reading: reading).read()
        return result(AgentConfiguration(agent: agent), reading)
    }

    /// The configuration that holds when there is no file: procnet every second to a table on standard output, no state.
    public func loadDefault() -> LoadedConfiguration {
        let contents = FileContents(bytes: Array(DefaultConfiguration.text.utf8))
        return load([ConfigurationFile(contents, name: DefaultConfiguration.name, limits: limits)])
    }

    private func load(_ read: [ConfigurationFile]) -> LoadedConfiguration {
        let reading = reading(read)
        TopLevelCheck(reading: reading).check()
        return result(configuration(reading), reading)
    }

    private func reading(_ read: [ConfigurationFile]) -> ConfigurationReading {
        let reading = ConfigurationReading(resolver: ReferenceResolver(environment: environment, files: files))
        for file in read { reading.add(file) }
        return reading
    }

    private func result(_ configuration: AgentConfiguration, _ reading: ConfigurationReading) -> LoadedConfiguration {
        let problems = reading.sortedProblems()
        let isUsable = problems.allSatisfy { $0.severity == .warning }
        return LoadedConfiguration(
            configuration: isUsable ? configuration : nil,
            draft: configuration,
            problems: problems,
            texts: reading.texts()
        )
    }

    private func configuration(_ reading: ConfigurationReading) -> AgentConfiguration {
        let agent = AgentReader(reading: reading).read()
        let catalog = makeCatalog(agent.pluginDirectories)
        var ids = IdentifierRegister(reading: reading)
        let sources = ComponentReader(kind: .source, catalog: catalog, reading: reading).read(&ids)
        let sinks = ComponentReader(kind: .sink, catalog: catalog, reading: reading).read(&ids)
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
        MetricGlobCheck(reading: reading, catalog: catalog).check(configuration)
        return configuration
    }
}
