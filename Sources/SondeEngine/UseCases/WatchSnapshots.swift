public import SondeDomain

/// Hands out one snapshot after another, as fast as the watcher takes them: a slow one gets the newest, and what came
/// between is never made.
///
/// One for each watcher; not thread-safe.
public struct WatchSnapshots {
    private let current: CurrentSnapshot
    private let book: SnapshotBook
    private var seen: UInt64?

    /// A watcher that has seen nothing, or what had the number `seen`.
    public init(_ current: CurrentSnapshot, book: SnapshotBook, seen: UInt64? = nil) {
        self.current = current
        self.book = book
        self.seen = seen
    }

    /// The number of the last snapshot that was handed out.
    public var version: UInt64? { seen }

    /// The newest snapshot, if something was told since the last one.
    public mutating func next() -> Snapshot? {
        guard seen != book.version else { return nil }
        let (snapshot, version) = current()
        seen = version
        return snapshot
    }
}
