public import SondeEngine

/// What the agent does without a configuration file: it shows the kernel's counters every second and stores nothing.
public struct BuiltInConfiguration: ConfigurationOrigin {
    static let name = "built-in configuration"

    /// The configuration without files.
    public init() {}

    /// Its one text.
    public func read() -> [ConfigurationPart] {
        [ConfigurationPart(Self.name, .success(FileContents(bytes: Array(Self.text.utf8))))]
    }

    private static let text = """
        version: 1
        agent: { interval: 1s }
        sources:
          - { id: kernel, plugin: procnet }
        sinks:
          - { id: console, plugin: stdout, format: table }
        """
}
