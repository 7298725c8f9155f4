public import SondeDomain
public import SondeEngine

/// How a ``DiskSpool`` is bounded and synced.
public struct DiskSpoolSettings: Hashable, Sendable {
    /// When what was appended is made to survive a power cut.
    public typealias Synchronization = AgentSettings.Synchronization

    /// The minimum size of a spool on disk.
    public static let leastBytes: Int64 = 4 << 20
    /// Into how many segments the room is divided.
    static let segmentsAtLeast: Int64 = 16
    /// Smaller segments would be mostly headers.
    static let leastSegment: Int64 = 64 << 10
    private static let mostMemory: Int64 = 16 << 20
    private static let largestSegment: Int64 = 64 << 20

    /// The folder; made when it is not there.
    public var directory: String
    /// The bound on all files together, 4 MiB or more.
    public var maxBytes = AgentSettings.diskSpoolBytes
    /// What is older is dropped.
    public var maxAge = Nanoseconds.seconds(7 * 86_400)
    /// Space that is kept free on the file system; nil: the smaller of 5 % and 100 MiB.
    public var minFree: Int64?
    /// When what was appended survives a power cut.
    public var synchronization = Synchronization.interval
    /// What is dropped at the bound.
    public var overflow = AgentSettings.OverflowPolicy.dropOldest
    /// Identifies this machine, to detect a log on a cloned disk; nil: not known.
    public var machine: String?
    /// What all that is appended has in common until ``DiskSpool/resource`` is set.
    public var resource = Resource()
    /// How much memory may hold while the file system has no room.
    public var memoryBytes: Int64
    /// About how large one segment becomes; the unit in which space is freed.
    public var segmentBytes: Int64

    /// The defaults, for a folder.
    public init(directory: String, maxBytes: Int64 = AgentSettings.diskSpoolBytes) {
        self.directory = directory
        self.maxBytes = maxBytes
        memoryBytes = min(maxBytes, Self.mostMemory)
        segmentBytes = min(max(maxBytes / Self.segmentsAtLeast, Self.leastSegment), Self.largestSegment)
    }
}
