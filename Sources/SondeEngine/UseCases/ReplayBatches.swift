internal import SondeDomain

/// Offers one sink's receiver again what a person asks for: dead letters, or a stretch of the log that it has seen.
///
/// A replayed batch keeps its identity. Cursors do not move, and a failure of a replay holds nothing else up: it has a
/// backoff of its own. Used from the sink's thread.
struct ReplayBatches {
    /// Asks the receiver.
    typealias Offer = (Batch) throws(SondeError) -> DeliveryOutcome

    private enum Item {
        case deadLetter(String)
        /// What is left of a stretch; a batch is cut from its beginning.
        case stretch(Stretch)
    }

    private struct Job {
        let order: SinkOrder
        var items: ArraySlice<Item>
        var attempt = 0
    }

    private static let cancelPause = Nanoseconds.milliseconds(100)

    private let sink: String
    private let maxCount: Int
    private let spool: any SpoolStore
    private let archive: (any DeadLetterArchive)?
    private let orders: SinkOrders
    private let account: OrderAccount
    private let builder: BatchBuilder
    private let clock: any Clock
    private var tracker: FailureTracker
    private var jobs: [Job] = []
    private var notBefore: MonotonicInstant?
    /// The last number of the batch under way.
    private var pieceEnd: UInt64 = 0

    init(
        _ settings: DeliverBatches.Settings,
        agent: String,
        spool: any SpoolStore,
        archive: (any DeadLetterArchive)?,
        orders: SinkOrders,
        account: OrderAccount,
        clock: any Clock,
        random: any RandomNumberGenerator & Sendable
    ) {
        sink = settings.id
        maxCount = max(1, settings.maxCount)
        self.spool = spool
        self.archive = archive
        self.orders = orders
        self.account = account
        self.clock = clock
        builder = BatchBuilder(settings, agent: agent)
        tracker = FailureTracker(backoff: settings.backoff, accessPolicy: settings.accessPolicy, random: random)
    }

    /// When the next batch may be offered; nil: there is none.
    var due: MonotonicInstant? {
        guard !jobs.isEmpty else { return nil }
        return notBefore ?? MonotonicInstant(nanoseconds: 0)
    }

    /// Adds the batches of an order.
    mutating func add(_ order: SinkOrder) {
        switch order.work {
        case .replayDeadLetters(let names):
            jobs.append(Job(order: order, items: names.map(Item.deadLetter)[...]))
        case .replayStretch(let stretch):
            jobs.append(Job(order: order, items: [.stretch(stretch)]))
        case .purgeWaiting, .purgeDeadLetters: break
        }
    }

    /// Offers the next batch.
    mutating func offerNext(_ offer: Offer) {
        guard let job = jobs.first else { return }
        guard let item = job.items.first else { return end(.done) }
        notBefore = nil
        do throws(SondeError) {
            let batch = try load(item, attempt: job.attempt)
            pieceEnd = batch.identity.last
            guard !batch.entries.isEmpty || !batch.documents.isEmpty else { return pass(item) }
            attempt(batch, item, offer)
        } catch {
            orders.update(job.order.id) {
                $0.refused &+= 1
                $0.failure = error
            }
            // The rest of a stretch is as far away as its beginning.
            if case .stretch = item { end(.failed) } else { pass(item) }
        }
    }

    private func load(_ item: Item, attempt: Int) throws(SondeError) -> Batch {
        switch item {
        case .deadLetter(let name):
            guard let archive else { throw SondeError(order: .deadLetterMissing, "no dead letters are kept") }
            return try archive.load(name).offered(attempt: 1 + attempt)
        case .stretch(let stretch):
            var piece = piece(of: stretch)
            try spool.requireWhole(piece, passedBy: sink)
            let contents = spool.read(piece, for: sink)
            // What was removed while it was read must not be taken for a batch without points.
            try spool.requireWhole(piece, passedBy: sink)
            piece.last = contents.last
            return builder.batch(piece, of: spool.epoch(of: sink), contents).offered(attempt: 1 + attempt)
        }
    }

    private mutating func attempt(_ batch: Batch, _ item: Item, _ offer: Offer) {
        let outcome: DeliveryOutcome
        do throws(SondeError) {
            outcome = try offer(batch)
        } catch {
            return dispose(error, item)
        }
        switch outcome {
        case .cancelled: notBefore = clock.monotonicTime.advanced(by: Self.cancelPause)
        case .delivered(let rejected, _):
            _ = tracker.succeed()
            accept(batch, item, rejected: rejected)
        }
    }

    private mutating func accept(_ batch: Batch, _ item: Item, rejected: UInt64) {
        guard let order = jobs.first?.order else { return }
        let count = UInt64(batch.entries.count)
        let lost = min(count, rejected)
        orders.update(order.id) {
            $0.batches &+= 1
            $0.points &+= count &- lost &+ UInt64(batch.documents.count)
            $0.failure = nil
        }
        account.replayed(count &- lost &+ UInt64(batch.documents.count))
        if case .deadLetter(let name) = item {
            // A point of a dead letter that is taken out was never delivered; one of a stretch has been before.
            account.lose(lost, of: batch.entries.map(\.point.time), reason: "rejected_by_receiver")
            _ = archive?.remove(name)
        }
        pass(item)
    }

    private mutating func dispose(_ error: SondeError, _ item: Item) {
        guard let order = jobs.first?.order else { return }
        let (disposition, wait) = tracker.fail(error, at: clock.wallTime)
        orders.update(order.id) { $0.failure = error }
        switch disposition {
        case .retry:
            notBefore = clock.monotonicTime.advanced(by: wait)
            jobs[0].attempt &+= 1
        case .hold: end(.failed)
        case .setAside, .split:
            // Halves would have another identity, so a batch that is too large stays what it is.
            orders.update(order.id) { $0.refused &+= 1 }
            if case .deadLetter(let name) = item { archive?.noteRefusal(name, because: error, at: clock.wallTime) }
            pass(item)
        }
    }

    /// Goes on after what was just offered.
    private mutating func pass(_ item: Item) {
        jobs[0].attempt = 0
        jobs[0].items.removeFirst()
        if case .stretch(let stretch) = item, pieceEnd < stretch.last {
            jobs[0].items.insert(
                .stretch(Stretch(first: pieceEnd &+ 1, last: stretch.last)), at: jobs[0].items.startIndex)
        }
        if jobs[0].items.isEmpty { end(.done) }
    }

    private mutating func end(_ state: SinkOrderReport.State) {
        let job = jobs.removeFirst()
        orders.update(job.order.id) { $0.state = state }
        account.ended(orders.report(of: job.order.id))
    }

    private func piece(of stretch: Stretch) -> Stretch {
        let (end, overflow) = stretch.first.addingReportingOverflow(UInt64(maxCount) &- 1)
        return Stretch(first: stretch.first, last: overflow ? stretch.last : min(stretch.last, end))
    }
}
