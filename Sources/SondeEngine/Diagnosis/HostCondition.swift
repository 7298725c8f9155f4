public import SondeDomain

/// What the host and the agent's process are like, as far as `sonde doctor` looks at it; nil is what could not be read.
public struct HostCondition: Hashable, Sendable {
    /// Whose process was looked at.
    public enum Process: Hashable, Sendable {
        /// That of the running agent.
        case agent
        /// The command's own, since no agent answers.
        case own
    }

    /// Whose capabilities, memory and descriptors these are.
    public var process = Process.own
    /// Its user's number.
    public var user: UInt32?
    /// What it may use or hand on (CapPrm of proc_pid_status(5)).
    public var capabilities: Capabilities?
    /// What its control group may have in bytes (memory.max of cgroup v2); nil also: no bound.
    public var memoryBound: UInt64?
    /// What the control group has.
    public var memoryUse: UInt64?
    /// How many descriptors it may have open.
    public var descriptorBound: UInt64?
    /// Whether something keeps the clock, as the kernel sees it (adjtimex(2)).
    public var isClockKept: Bool?
    /// The wall time.
    public var time: Timestamp?
    /// How many bytes are free where state is kept.
    public var stateSpace: FileSystemSpace?
    /// Why state cannot be written, in the system's words; nil: it can, or there is none.
    public var stateFailure: String?
    /// What an agent of any user refuses to keep state there for.
    public var stateRefusal: SondeError?

    /// Nothing is known.
    public init() {}
}
