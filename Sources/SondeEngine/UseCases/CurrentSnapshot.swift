public import SondeDomain
internal import Synchronization

/// The current snapshot, made once for all requests at about the same time.
///
/// May be called from any thread.
public final class CurrentSnapshot: Sendable {
    /// For how long one snapshot is the current one.
    public static let freshness = Nanoseconds.milliseconds(100)

    private struct Made {
        let snapshot: Snapshot
        let version: UInt64
        let at: MonotonicInstant
    }

    private let build: BuildSnapshot
    private let book: SnapshotBook
    private let clock: any Clock
    private let made = Mutex<Made?>(nil)

    /// A use case that makes snapshots with `build` from `book`.
    public init(_ build: BuildSnapshot, book: SnapshotBook, clock: any Clock) {
        self.build = build
        self.book = book
        self.clock = clock
    }

    /// The snapshot and the number of what it is made of.
    public func callAsFunction() -> (snapshot: Snapshot, version: UInt64) {
        made.withLock { made in
            let now = clock.monotonicTime
            let version = book.version
            if let made, made.version == version, now.since(made.at) <= Self.freshness {
                return (made.snapshot, version)
            }
            let snapshot = build()
            made = Made(snapshot: snapshot, version: version, at: now)
            return (snapshot, version)
        }
    }
}
