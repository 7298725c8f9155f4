public import SondeDomain

/// The keys that the agent itself gives a meaning; a plugin's options come from its descriptor.
public enum ConfigurationSchema {
    /// The version of the configuration that is read.
    public static let version = "1"

    /// The intervals that a source may have.
    public static let intervals = Nanoseconds.milliseconds(100)...Nanoseconds.seconds(86_400)

    /// Ids under which the agent tells of itself.
    public static let reservedIDs: Set<String> = ["agent", "sonde"]

    /// The keys of the file itself.
    public static let topLevelKeys = ["version", "agent", "sources", "sinks"]

    /// The keys of `agent:`.
    public static let agent: [OptionDefinition] = agentOptions.map(\.definition)

    /// The keys that say what an entry of `sources:` or `sinks:` is.
    public static let identity: [OptionDefinition] = [
        OptionDefinition("id", .string, required: true, help: "A name that is unique among sources and sinks."),
        OptionDefinition("plugin", .string, required: true, help: "The plugin's name."),
        OptionDefinition("enabled", .bool, default: "true", help: "Whether the entry is used."),
    ]

    /// The keys of every source beside those that identify it.
    public static let source: [OptionDefinition] = [
        OptionDefinition(
            "interval", .duration(intervals), help: "How often it is read; the agent's interval when not set."),
        OptionDefinition("labels", .map, help: "Labels on every point of this source, beside the agent's."),
        OptionDefinition(
            "series_limit", .integer(1...1_000_000),
            help: "How many series it may have open; what its plugin says when not set, 50000 when that says nothing."),
    ]

    /// The keys of every sink beside those that identify it.
    public static let sink: [OptionDefinition] = {
        let batch = SinkConfiguration.BatchLimits()
        let retry = SinkConfiguration.RetryLimits()
        let deadLetterDefault = SinkConfiguration(id: "", plugin: "").deadLetterMaxBytes
        let waits = Nanoseconds.milliseconds(1)...Nanoseconds.seconds(86_400)
        return [
            OptionDefinition(
                "batch.samples", .integer(1...1_000_000), default: "\(batch.samples)",
                help: "A batch has at most this many points."),
            OptionDefinition(
                "batch.bytes", .size((1 << 10)...(64 << 20)), default: SizeText.text(of: batch.bytes),
                help: "A batch has at most about this many bytes in memory."),
            OptionDefinition(
                "batch.wait", .duration(waits),
                help: "A batch is cut at the latest this long after its first point; "
                    + "1s for a durable sink and 200ms for a live one when not set."),
            OptionDefinition(
                "retry.base", .duration(waits), default: DurationText.text(of: retry.base),
                help: "The shortest wait after a failure."),
            OptionDefinition(
                "retry.cap", .duration(waits), default: DurationText.text(of: retry.cap),
                help: "The longest wait after a failure."),
            OptionDefinition(
                "on_auth_error", .choice(SinkConfiguration.AccessPolicy.allCases.map(\.rawValue)),
                default: SinkConfiguration.AccessPolicy.hold.rawValue,
                help: "Whether batches are held or set aside while the receiver refuses credentials or path."),
            OptionDefinition(
                "dead_letter.max_bytes", .size(0...(1 << 40)), default: SizeText.text(of: deadLetterDefault),
                help: "How much of what was refused for good is kept in the state directory; 0 keeps nothing."),
            OptionDefinition("send", .list, help: "metrics, snapshots or both; what the plugin prefers when not set."),
            OptionDefinition(
                "metrics.include", .list, help: "Globs of which one must match a metric's name; all when not set."),
            OptionDefinition("metrics.exclude", .list, help: "Globs of which none may match a metric's name."),
        ]
    }()

    /// The words of `send`.
    public static let sendWords: [(word: String, content: SendContent)] = [
        ("metrics", .metrics), ("snapshots", .snapshots),
    ]

    /// Keys that are planned and refused: nobody should believe that they work.
    public static let notAvailable: Set<String> = [
        "isolation"
    ]
}
