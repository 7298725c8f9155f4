internal import SondeDomain

/// What the processes of one instance may use.
public struct ProcessLimits: Hashable, Sendable {
    /// Bytes of memory of their own that they may have together; nil: no bound.
    public var memory: Int64?
    /// How many descriptors each of them may have open; nil: the agent's bound.
    public var files: Int?

    /// No limits.
    public init() {}

    /// Whether there is none.
    public var isEmpty: Bool { self == ProcessLimits() }
}

extension InstanceConfiguration {
    /// The keys of its limits.
    static var limitKeys: [ConfigurationOption<Self>] {
        [
            ConfigurationOption(
                "limits.memory", \.limits.memory, .size((4 << 20)...(1 << 40)), unset: "no bound",
                help: "How much memory its process and what that started may have together, what is shared with files "
                    + "apart; beyond that they are killed and started again."),
            ConfigurationOption(
                "limits.files", \.limits.files, .count(16...1_000_000), unset: "the agent's",
                help: "How many descriptors each of its processes may have open."),
        ]
    }
}
