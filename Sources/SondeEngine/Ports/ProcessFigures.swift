/// The resource usage of the agent's process at one instant; nil: not known.
public struct ProcessFigures: Hashable, Sendable {
    /// Resident memory in bytes.
    public var memory: UInt64?
    /// User CPU time in seconds.
    public var userSeconds: Double?
    /// System CPU time in seconds.
    public var systemSeconds: Double?
    /// Open file descriptors.
    public var descriptors: UInt64?
    /// Threads.
    public var threads: UInt64?

    /// Figures of which nothing is known.
    public init() {}
}
