internal import SondeDomain

/// What the processes of one instance may use.
public struct ProcessLimits: Hashable, Sendable {
    /// Bytes of memory of their own that they may have together; nil: no bound.
    public var memory: Int64?
    /// How much processor time they may have together, in processors, over five seconds; nil: no bound.
    public var cpuShare: Double?
    /// How many there may be at a time; nil: no bound.
    public var processes: Int?
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
                "limits.cpu_share", \.limits.cpuShare, .number(0.01...1_024), unset: "no bound",
                help: "How many processors its process and what that started may use together, over five seconds; "
                    + "beyond that they are killed and started again, or slowed where there are control groups.",
                example: "0.5"),
            ConfigurationOption(
                "limits.processes", \.limits.processes, .count(1...100_000), unset: "no bound",
                help: "How many processes there may be at a time, its own and those that it started; with more they "
                    + "are killed and started again."),
            ConfigurationOption(
                "limits.files", \.limits.files, .count(16...1_000_000), unset: "the agent's",
                help: "How many descriptors each of its processes may have open."),
        ]
    }
}
