public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `watch`: a snapshot now and whenever a source has reported something new, at most ten a second.
///
/// Each is built and encoded once. A slow watcher gets the newest and skips those in between.
public final class SnapshotFeed: ControlFeed {
    /// `watch`.
    public let request = "watch"
    /// Set by the book when there is something new.
    public let timer = LoopTimer()
    private let current: CurrentSnapshot
    private let book: SnapshotBook
    private let counts: ControlCounts
    private let clock: any Clock
    private var subscriptions: [ObjectIdentifier: Subscription] = [:]

    /// A feed of the contents of `book`.
    public init(
        _ current: CurrentSnapshot,
        book: SnapshotBook,
        counts: ControlCounts,
        clock: any Clock
    ) {
        self.current = current
        self.book = book
        self.counts = counts
        self.clock = clock
    }

    /// A subscription that begins with the current snapshot.
    public func subscribe(_ arguments: JSONValue) throws(SondeError) -> any ControlSubscription {
        let subscription = Subscription(of: self)
        let (line, version) = makeLine()
        subscription.newest = line
        if subscriptions.isEmpty { waitForNews(since: version) }
        subscriptions[ObjectIdentifier(subscription)] = subscription
        return subscription
    }

    /// Makes one snapshot for all subscriptions.
    public func publish() {
        guard !subscriptions.isEmpty else { return }
        let (line, version) = makeLine()
        for subscription in subscriptions.values {
            if subscription.newest != nil { counts.skipped &+= 1 }
            subscription.newest = line
        }
        waitForNews(since: version)
    }

    private func waitForNews(since version: UInt64) {
        book.wake(timer, since: version, notBefore: clock.monotonicTime.advanced(by: CurrentSnapshot.freshness))
    }

    private func makeLine() -> (line: [UInt8], version: UInt64) {
        let (snapshot, version) = current()
        return (ControlDispatcher.text(SnapshotHandler.answer(snapshot, version)), version)
    }

    private func forget(_ subscription: Subscription) {
        subscriptions[ObjectIdentifier(subscription)] = nil
        guard subscriptions.isEmpty else { return }
        book.stopWaking()
        timer.disarm()
    }

    /// One watcher: the newest snapshot that it was not sent.
    private final class Subscription: ControlSubscription {
        private unowned let feed: SnapshotFeed
        var newest: [UInt8]?

        init(of feed: SnapshotFeed) {
            self.feed = feed
        }

        func next() -> ControlPush {
            defer { newest = nil }
            return newest.map { .lines($0) } ?? .nothing
        }

        func end() {
            feed.forget(self)
        }
    }
}
