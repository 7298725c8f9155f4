/// What reading a configuration came to.
public struct LoadedConfiguration: Sendable {
    /// The configuration; nil when a problem is an error.
    public let configuration: AgentConfiguration?
    /// Every problem of every file, sorted by place.
    public let problems: [ConfigurationProblem]
    /// The files that were read, the main one first.
    public let texts: [ConfigurationText]

    /// A result.
    public init(configuration: AgentConfiguration?, problems: [ConfigurationProblem], texts: [ConfigurationText]) {
        self.configuration = configuration
        self.problems = problems
        self.texts = texts
    }
}
