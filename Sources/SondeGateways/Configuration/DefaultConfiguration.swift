/// What the agent does without a configuration file: it shows the kernel's counters and keeps nothing.
enum DefaultConfiguration {
    static let name = "built-in configuration"
    static let text = """
        version: 1
        agent: { interval: 1s }
        sources:
          - { id: kernel, plugin: procnet }
        sinks:
          - { id: console, plugin: stdout, format: table }
        """
}
