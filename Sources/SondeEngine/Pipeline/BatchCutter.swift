internal import SondeDomain

/// Cuts the batches of one sink from the log, one at a time, and tracks how large the next one may be.
///
/// A batch is kept until it is passed, so that it is offered again unchanged. Used from the sink's thread.
struct BatchCutter {
    /// A batch and where it was cut.
    struct Cut {
        /// What is offered.
        let batch: Batch
        /// Its stretch of the log.
        let stretch: Stretch

        /// Whether there is nothing in it to deliver.
        var isEmpty: Bool { batch.entries.isEmpty && batch.documents.isEmpty }

        /// Whether it holds one item, so that it cannot be split.
        var isIndivisible: Bool { batch.entries.count + batch.documents.count <= 1 }
    }

    // After this many batches at a smaller size, one of twice the size is tried: a single oversized point must not
    // leave a sink with tiny batches permanently.
    private static let acceptedUntilGrowth = 100

    /// The batch under way.
    private(set) var current: Cut?

    private let sink: String
    private let spool: any SpoolStore
    private let ledger: LossLedger
    private let builder: BatchBuilder
    private(set) var bounds: BatchBounds
    private let clock: any Clock
    private let largestCount: Int
    private let maxBytes: Int64
    private var maxCount: Int
    private var acceptedAtSize = 0
    // The batch under way was too large, and its shorter end could not be recorded yet.
    private var shortenedCount: Int?

    /// A cutter for a sink that reads the log already.
    init(
        _ settings: DeliverBatches.Settings,
        agent: String,
        spool: any SpoolStore,
        ledger: LossLedger,
        clock: any Clock
    ) {
        sink = settings.id
        self.spool = spool
        self.ledger = ledger
        builder = BatchBuilder(settings, agent: agent)
        bounds = BatchBounds(settings)
        self.clock = clock
        largestCount = settings.maxCount
        maxCount = settings.maxCount
        maxBytes = settings.maxBytes
    }

    /// Cuts a batch unless one is under way; false: nothing waits, or the storage could not take what was to be recorded.
    mutating func cut() -> Bool {
        guard current == nil else { return shorten() }
        guard let stretch = spool.cut(for: sink, maxCount: maxCount, maxBytes: maxBytes) else { return false }
        current = build(stretch)
        return true
    }

    /// The batch under way was delivered or set aside: the next one follows it.
    mutating func pass() {
        guard let current else { return }
        spool.acknowledge(current.stretch, for: sink)
        self.current = nil
        shortenedCount = nil
    }

    /// The batch under way will be offered once more.
    mutating func reoffer() {
        guard let current else { return }
        self.current = Cut(batch: current.batch.offered(attempt: current.batch.attempt + 1), stretch: current.stretch)
    }

    /// The batch under way was too large: from the next `cut` on it, and those that follow, are half as large.
    mutating func split() {
        guard let current else { return }
        let half = max(1, current.stretch.count / 2)
        maxCount = max(1, min(maxCount, half))
        acceptedAtSize = 0
        shortenedCount = half
    }

    /// A batch was accepted: after many of them a larger one is tried.
    mutating func grow() {
        guard maxCount < largestCount else { return }
        acceptedAtSize += 1
        guard acceptedAtSize >= Self.acceptedUntilGrowth else { return }
        acceptedAtSize = 0
        maxCount = maxCount > largestCount / 2 ? largestCount : maxCount * 2
    }

    /// Makes the batch under way shorter if it was too large; false when its new end could not be recorded.
    private mutating func shorten() -> Bool {
        guard let count = shortenedCount else { return true }
        guard let shorter = spool.shorten(for: sink, to: count) else { return false }
        shortenedCount = nil
        current = build(shorter)
        return true
    }

    /// A batch that is not of the log, within `bounds`, a copy of the cutter's; what is beyond them is recorded.
    func bounded(_ batch: Batch, by bounds: inout BatchBounds) -> Batch {
        let (bounded, losses) = bounds.apply(to: batch, at: clock.wallTime)
        for loss in losses { ledger.record(loss) }
        return bounded
    }

    private mutating func build(_ stretch: Stretch) -> Cut {
        let contents = spool.read(stretch, for: sink)
        // While sinks sync the log nothing else collects losses, and what the read found lost must be recorded.
        for loss in spool.takeLosses() { ledger.record(loss) }
        let (batch, losses) = bounds.apply(
            to: builder.batch(stretch, of: spool.epoch(of: sink), contents), at: clock.wallTime)
        bounds.release(endedIn: contents.points)
        for loss in losses { ledger.record(loss) }
        return Cut(batch: batch, stretch: stretch)
    }
}
