/// A configuration without a mistake, and the files that its plugins were linked from.
public struct CheckedConfiguration: Sendable {
    /// The configuration.
    public var configuration: AgentConfiguration
    /// The real path of each plugin by name.
    public var pluginFiles: [String: String]

    /// A configuration.
    public init(_ configuration: AgentConfiguration, pluginFiles: [String: String]) {
        self.configuration = configuration
        self.pluginFiles = pluginFiles
    }
}
