internal import SondeDomain

/// When a running agent releases memory that it does not use.
///
/// The C library keeps what a burst (a backlog that is drained, hundreds of interfaces) has used for the next one, so that an
/// agent would hold for ever what it once needed. Releasing costs system calls for each free stretch of the heap, which a quiet
/// host does not need more than once in ten minutes. docs/decisions has the figures.
struct MemoryRelease {
    /// What is released.
    enum Extent: Hashable {
        case nothing
        /// The heap's free pages.
        case heap
        /// Those, and the code and constants that a running agent does not need.
        case everything
    }

    /// How long after a check the next one is.
    static let period = Nanoseconds.seconds(60)
    /// By how many bytes unused memory has to have grown since it was least.
    static let growth: UInt64 = 256 << 10
    /// At which check everything is released in any case.
    static let checksUntilEverything = 10

    private var checks = 0
    /// The least unused memory since the last release.
    private var floor: UInt64?

    /// Decides what to release, from the unused memory in bytes.
    ///
    /// `nil`: it is not known. The first check releases everything.
    mutating func check(_ unused: UInt64?) -> Extent {
        defer { checks = (checks + 1) % Self.checksUntilEverything }
        guard checks > 0 else { return .everything }
        guard let unused, let floor else { return .nothing }
        self.floor = min(unused, floor)
        return unused > floor && unused - floor >= Self.growth ? .heap : .nothing
    }

    /// Notes what a release has left: it lies between what is used, and is not tried again before it has grown.
    mutating func note(_ unused: UInt64?) { floor = unused }

    /// Releases what is due.
    mutating func run() {
        switch check(ResidentMemory.unusedBytes) {
        case .nothing: return
        case .heap: ResidentMemory.releaseHeap()
        case .everything: ResidentMemory.release()
        }
        note(ResidentMemory.unusedBytes)
    }
}
