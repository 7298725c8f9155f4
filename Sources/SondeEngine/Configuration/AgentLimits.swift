public import SondeDomain

/// `agent.limits`: what the agent and its child processes may use together.
public struct AgentLimits: Hashable, Sendable {
    /// A share of one processor, 0.02 for two percent; nil: no bound.
    public var processors: Double?
    /// Bytes of memory of their own; nil: no bound.
    public var memory: Int64?
    /// Bytes in the state directory; nil: what its parts may have each.
    public var disk: Int64?

    /// The shares of a processor that can be kept.
    public static let processorRange = 0.001...1_000.0

    /// No limits.
    public init() {}

    /// What is kept by collecting less.
    public var resources: ResourceLimits {
        ResourceLimits(processors: processors, memory: memory.map { UInt64(clamping: $0) })
    }
}

extension AgentSettings {
    /// The keys of its limits.
    static var limitKeys: [ConfigurationOption<Self>] {
        [
            ConfigurationOption(
                "limits.cpu", \.limits.processors, .percent, .fixed, unset: "no bound",
                help: "How much of one processor the agent and its child processes may use together, over ten seconds; "
                    + "near it the agent collects less ([docs/guide/limits.md](guide/limits.md)).",
                example: "2%"),
            ConfigurationOption(
                "limits.memory", \.limits.memory, .size((8 << 20)...(1 << 40)), .fixed, unset: "no bound",
                help:
                    "How much memory of their own they may have together, what is shared with files apart; near it the "
                    + "agent collects less.",
                example: "64MiB"),
            ConfigurationOption(
                "limits.disk", \.limits.disk, .size((32 << 20)...(1 << 44)), .fixed,
                unset: "the bounds of the spool, the history and the dead letters together",
                help: "How much the state directory may have: the history and the dead letters get what is set, or an "
                    + "eighth each at most, and the spool the rest.",
                example: "256MiB"),
        ]
    }
}

extension OptionForm<Double> {
    /// A share that is written as `2%`.
    fileprivate static var percent: Self {
        Self(
            type: .string, wrap: { .string(PercentText.text(of: $0)) },
            unwrap: { if case .string(let text) = $0 { PercentText.parse(text) } else { nil } })
    }
}
