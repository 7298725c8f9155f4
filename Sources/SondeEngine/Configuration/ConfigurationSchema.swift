public import SondeDomain

/// The keys that the agent itself defines; a plugin's options come from its descriptor.
public enum ConfigurationSchema {
    /// The version of the configuration that is read.
    public static let version = "1"

    /// The intervals that a source may have.
    public static let intervals = Nanoseconds.milliseconds(100)...Nanoseconds.seconds(86_400)

    /// Ids under which the agent reports on itself.
    public static let reservedIDs: Set<String> = ["agent", "sonde"]

    /// The keys of the file itself.
    public static let topLevelKeys = ["version", "agent", "sources", "sinks"]

    /// The keys of `agent:`.
    public static let agent: [OptionDefinition] = AgentSettings.keys.map(\.definition)

    /// The keys that identify an entry of `sources:` or `sinks:`.
    public static let identity: [OptionDefinition] = [
        OptionDefinition(
            "id", .string, required: true,
            help: "1 to 64 of a-z, 0-9, `_`, `.`, `-`, beginning with a letter or digit; unique over sources and "
                + "sinks. `agent` and `sonde` are the agent's own."),
        OptionDefinition("plugin", .string, required: true, help: "The plugin's name."),
        OptionDefinition(
            "enabled", .bool, default: "true",
            help: "`false`: the entry is left out; its plugin is not loaded and the plugin's own keys are not "
                + "checked."),
        OptionDefinition(
            "override", .bool, default: "false",
            help: "`true`: its keys change the entry of the same `id` before it, in the same file or another; `plugin` "
                + "may be left out."),
        OptionDefinition(
            "when.host", .list,
            help: "Globs on the host's name, or one without brackets: on other hosts it is as if the entry were not "
                + "there.",
            example: "db-*"),
    ]

    /// The keys of every source beside those that identify it.
    public static let source: [OptionDefinition] = SourceConfiguration.keys.map(\.definition)

    /// The keys of every sink beside those that identify it.
    public static let sink: [OptionDefinition] = SinkConfiguration.keys.map(\.definition)

    /// The words of `send`.
    public static let sendWords: [(word: String, content: SendContent)] = [
        ("metrics", .metrics), ("snapshots", .snapshots),
    ]
}
