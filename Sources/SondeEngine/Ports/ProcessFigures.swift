/// What the process of the agent costs at one instant; nil: it is not known.
public struct ProcessFigures: Hashable, Sendable {
    /// Resident memory in bytes.
    public var memory: UInt64?
    /// Processor time in seconds that it has used for itself.
    public var userSeconds: Double?
    /// Processor time in seconds that the kernel has used for it.
    public var systemSeconds: Double?
    /// Open file descriptors.
    public var descriptors: UInt64?
    /// Threads.
    public var threads: UInt64?

    /// Figures of which nothing is known.
    public init() {}
}
