internal import SondeDomain

/// Offers one sink's receiver its dead letters again.
///
/// A dead letter keeps its batch's identity. Cursors do not move, and a failure of a replay delays nothing else: it has
/// its own backoff. Used from the sink's thread.
struct ReplayBatches {
    /// Offers a batch to the receiver.
    typealias Offer = (Batch) throws(SondeError) -> DeliveryOutcome

    private struct Job {
        let order: SinkOrder
        var letters: ArraySlice<String>
        var attempt = 0
    }

    private static let cancelPause = Nanoseconds.milliseconds(100)

    private let archive: (any DeadLetterArchive)?
    private let orders: SinkOrders
    private let account: OrderAccount
    private let clock: any Clock
    private var tracker: FailureTracker
    private var jobs: [Job] = []
    private var notBefore: MonotonicInstant?

    init(
        _ settings: DeliverBatches.Settings,
        archive: (any DeadLetterArchive)?,
        orders: SinkOrders,
        account: OrderAccount,
        clock: any Clock,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.archive = archive
        self.orders = orders
        self.account = account
        self.clock = clock
        tracker = FailureTracker(backoff: settings.backoff, accessPolicy: settings.accessPolicy, random: random)
    }

    /// When the next batch may be offered; nil: there is none.
    var due: MonotonicInstant? {
        guard !jobs.isEmpty else { return nil }
        return notBefore ?? MonotonicInstant(nanoseconds: 0)
    }

    /// Adds the dead letters of an order.
    mutating func add(_ order: SinkOrder, _ letters: [String]) {
        jobs.append(Job(order: order, letters: letters[...]))
    }

    /// Offers the next batch.
    mutating func offerNext(_ offer: Offer) {
        guard let job = jobs.first else { return }
        guard let letter = job.letters.first else { return end(.done) }
        notBefore = nil
        do throws(SondeError) {
            guard let archive else { throw SondeError(order: .deadLetterMissing, "no dead letters are kept") }
            attempt(try archive.load(letter).offered(attempt: 1 + job.attempt), letter, offer)
        } catch {
            orders.update(job.order.id) {
                $0.refused &+= 1
                $0.failure = error
            }
            pass()
        }
    }

    private mutating func attempt(_ batch: Batch, _ letter: String, _ offer: Offer) {
        let outcome: DeliveryOutcome
        do throws(SondeError) {
            outcome = try offer(batch)
        } catch {
            return dispose(error, letter)
        }
        switch outcome {
        case .cancelled: notBefore = clock.monotonicTime.advanced(by: Self.cancelPause)
        case .delivered(let rejected, _):
            _ = tracker.succeed()
            accept(batch, letter, rejected: rejected)
        }
    }

    private mutating func accept(_ batch: Batch, _ letter: String, rejected: UInt64) {
        guard let order = jobs.first?.order else { return }
        let count = UInt64(batch.entries.count)
        let lost = min(count, rejected)
        orders.update(order.id) {
            $0.batches &+= 1
            $0.points &+= count &- lost &+ UInt64(batch.documents.count)
            $0.failure = nil
        }
        account.replayed(count &- lost &+ UInt64(batch.documents.count))
        // A point that is rejected from a dead letter was never delivered.
        account.lose(lost, of: batch.entries.map(\.point.time), reason: .rejectedByReceiver)
        _ = archive?.remove(letter)
        pass()
    }

    private mutating func dispose(_ error: SondeError, _ letter: String) {
        guard let order = jobs.first?.order else { return }
        let (disposition, wait) = tracker.fail(error, at: clock.wallTime)
        orders.update(order.id) { $0.failure = error }
        switch disposition {
        case .retry:
            notBefore = clock.monotonicTime.advanced(by: wait)
            jobs[0].attempt &+= 1
        case .hold: end(.failed)
        case .setAside, .split:
            // Halves would have another identity, so a batch that is too large is not split.
            orders.update(order.id) { $0.refused &+= 1 }
            archive?.noteRefusal(letter, because: error, at: clock.wallTime)
            pass()
        }
    }

    /// Continues after what was just offered.
    private mutating func pass() {
        jobs[0].attempt = 0
        jobs[0].letters.removeFirst()
        if jobs[0].letters.isEmpty { end(.done) }
    }

    private mutating func end(_ state: SinkOrderReport.State) {
        let job = jobs.removeFirst()
        orders.update(job.order.id) { $0.state = state }
        account.ended(orders.report(of: job.order.id))
    }
}
