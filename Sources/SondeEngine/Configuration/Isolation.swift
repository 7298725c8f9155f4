/// Where the instances of a plugin run.
public enum Isolation: String, Hashable, Sendable, CaseIterable {
    /// In the agent's own process: nothing is cheaper, and a crash ends the agent.
    case inProcess = "in_process"
    /// Each in a process of its own, which the agent outlives and replaces.
    case process
}

extension Isolation {
    static let usual = "in_process for the agent's own plugins but pcap and drops, process for others"
    static let help =
        "Where it runs: `in_process`, or in a `process` of its own, which is started again when it crashes or hangs."
}
