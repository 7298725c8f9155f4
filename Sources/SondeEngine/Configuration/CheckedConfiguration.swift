/// A configuration without errors, and the files that its plugins were linked from.
public struct CheckedConfiguration: Sendable {
    /// The configuration.
    public var configuration: AgentConfiguration
    /// The real path of each plugin by name.
    public var pluginFiles: [String: String]
    /// The digest of its text, see ``ConfigurationText/digest(of:)``.
    public var digest: String

    /// A configuration.
    public init(_ configuration: AgentConfiguration, pluginFiles: [String: String], digest: String = "") {
        self.configuration = configuration
        self.pluginFiles = pluginFiles
        self.digest = digest
    }
}
