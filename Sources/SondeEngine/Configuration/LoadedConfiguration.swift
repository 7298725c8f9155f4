/// The result of reading a configuration.
public struct LoadedConfiguration: Sendable {
    /// The configuration; nil when a problem is an error.
    public let configuration: AgentConfiguration?
    /// What could be read despite problems: enough for each plugin to validate the options that are valid so far.
    public let draft: AgentConfiguration
    /// Every problem of every file, sorted by place.
    public let problems: [ConfigurationProblem]
    /// The files that were read, the main one first.
    public let texts: [ConfigurationText]
    /// Where its values come from, and what is not in force.
    public let provenance: ConfigurationProvenance

    /// A result.
    public init(
        configuration: AgentConfiguration?,
        draft: AgentConfiguration? = nil,
        problems: [ConfigurationProblem],
        texts: [ConfigurationText],
        provenance: ConfigurationProvenance = ConfigurationProvenance()
    ) {
        self.configuration = configuration
        self.draft = draft ?? configuration ?? AgentConfiguration()
        self.problems = problems
        self.texts = texts
        self.provenance = provenance
    }

    /// The same with another configuration made of what was read.
    public func mapping(_ change: (AgentConfiguration) -> AgentConfiguration) -> LoadedConfiguration {
        LoadedConfiguration(
            configuration: configuration.map(change), draft: change(draft), problems: problems, texts: texts,
            provenance: provenance)
    }
}
