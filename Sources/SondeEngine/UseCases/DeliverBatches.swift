public import SondeDomain

/// Runs one sink: cuts batches, offers them, and does with each failure what its class asks for.
///
/// `step` makes at most one attempt and says when it wants to run again; the thread of the instance calls it in a loop.
/// A stretch is offered again, unchanged, until it is delivered or set aside; nothing else holds it up.
public final class DeliverBatches {
    /// What step came to.
    public enum Next: Hashable, Sendable {
        /// Run again at this instant.
        case at(MonotonicInstant)
        /// Run again when the gate wakes the thread; the gate has set the timer if there is an instant to wait for.
        case whenWoken
        /// The sink's output is gone for good: nothing more to do, ever.
        case ended
    }

    /// What has become of the sink so far.
    public struct Status: Hashable, Sendable {
        /// Batches that the receiver has.
        public var deliveredBatches: UInt64 = 0
        /// Points in them.
        public var deliveredPoints: UInt64 = 0
        /// Attempts that failed.
        public var failedAttempts: UInt64 = 0
        /// Points that were refused for good.
        public var refusedPoints: UInt64 = 0
        /// Points among them that are kept in the dead letters; the others are lost.
        public var deadLetteredPoints: UInt64 = 0
    }

    /// How a sink's batches are cut and offered.
    public struct Settings: Sendable {
        /// The `id` of the sink.
        public var id: String
        /// At most this many points or documents per batch.
        public var maxCount: Int
        /// At most about this many bytes per batch.
        public var maxBytes: Int64
        /// How failed batches wait.
        public var backoff: Backoff
        /// What happens when the receiver refuses access.
        public var accessPolicy: SinkConfiguration.AccessPolicy
        /// Which metrics it gets.
        public var filter: MetricGlobFilter
        /// How long one attempt may take.
        public var attemptLimit = Nanoseconds.seconds(60)

        /// The settings of a configured sink.
        public init(_ sink: SinkConfiguration) {
            id = sink.id
            maxCount = sink.batch.samples
            maxBytes = sink.batch.bytes
            backoff = Backoff(base: sink.retry.base, cap: sink.retry.cap)
            accessPolicy = sink.onAuthError
            filter = MetricGlobFilter(sink.metrics)
        }
    }

    /// Who the agent is, for the identity of batches.
    public struct Origin: Sendable {
        /// The agent's UUID.
        public var agent: String
        /// The host name on every point; nil: none.
        public var host: String?

        /// An origin.
        public init(agent: String, host: String?) {
            self.agent = agent
            self.host = host
        }
    }

    /// What has become of the sink so far.
    public private(set) var status = Status()
    /// The failure that holds the sink up, if one does.
    public var failure: SondeError? { tracker.current }
    /// Carries out what people ask of the sink; nil: nobody can ask.
    ///
    /// Set before the first step.
    public var orders: CarryOutOrders?

    private let settings: Settings
    private let origin: Origin
    private let instance: any SinkInstance
    private let spool: any SpoolStore
    private let gate: DeliveryGate
    private let ledger: LossLedger
    private let deadLetters: (any DeadLetterStore)?
    private let clock: any Clock
    private let log: any EventLog
    private let observer: any CallObserver
    private let cancelDescriptor: Int32
    private let entry: StatusEntry?
    private var tracker: FailureTracker
    private var builder: BatchBuilder
    private var isStarted = false
    private var maxCount: Int
    private var held: (batch: Batch, stretch: Stretch)?
    private var notBefore: MonotonicInstant?
    private var pacer: DrainPacer
    private var pausedUntil: MonotonicInstant?
    private var announced: Disposition?
    private var acceptedAtSize = 0

    // A disk that is full or fails is not asked more often.
    private static let storagePause = Nanoseconds.seconds(1)
    private static let longestSplay = Nanoseconds.seconds(30)

    // After this many batches at a smaller size, one of twice the size is tried: a single oversized point must not
    // leave a sink with tiny batches for good.
    private static let acceptedUntilGrowth = 100

    /// A use case for one sink instance.
    public init(
        settings: Settings,
        origin: Origin,
        instance: any SinkInstance,
        spool: any SpoolStore,
        gate: DeliveryGate,
        ledger: LossLedger,
        deadLetters: (any DeadLetterStore)? = nil,
        clock: any Clock,
        log: any EventLog,
        observer: any CallObserver,
        cancelDescriptor: Int32,
        random: any RandomNumberGenerator & Sendable,
        entry: StatusEntry? = nil
    ) {
        self.settings = settings
        self.origin = origin
        self.instance = instance
        self.spool = spool
        self.gate = gate
        self.ledger = ledger
        self.deadLetters = deadLetters
        self.clock = clock
        self.log = log
        self.observer = observer
        self.cancelDescriptor = cancelDescriptor
        self.entry = entry
        tracker = FailureTracker(
            backoff: settings.backoff,
            accessPolicy: settings.accessPolicy,
            random: random
        )
        builder = BatchBuilder(sink: settings.id, origin: origin, epoch: spool.epoch, filter: settings.filter)
        maxCount = settings.maxCount
        pacer = DrainPacer(batchSize: settings.maxCount)
        // What an earlier run left is not sent in the second in which every host starts again.
        if spool.backlog(of: settings.id).count > 0 {
            let splay = HostSplay.delay(agent: origin.agent, sink: settings.id, within: Self.longestSplay)
            pausedUntil = clock.monotonicTime.advanced(by: splay)
        }
    }

    /// Makes at most one attempt and says when to run again.
    ///
    /// `draining`: do not wait for a batch to fill.
    public func step(draining: Bool = false) -> Next {
        let now = clock.monotonicTime
        if !draining, let purged = orders?.purge(offered: held?.stretch) {
            if purged.stretch == held?.stretch { held = nil }
            return .at(now)
        }
        orders?.wakeWhenDue(after: now)
        if let notBefore, notBefore > now { return .at(notBefore) }
        notBefore = nil
        if !draining, let pause = pause(at: now) { return .at(pause) }
        guard isStarted || start() else { return .at(notBefore ?? now) }
        if held == nil {
            if !draining, orders?.hasTurn(at: now) == true, replay(at: now) { return .at(clock.monotonicTime) }
            if let next = waitForBatch(now, draining: draining) {
                return !draining && replay(at: now) ? .at(clock.monotonicTime) : next
            }
            guard let stretch = spool.cut(for: settings.id, maxCount: maxCount, maxBytes: settings.maxBytes) else {
                return waitForStorage()
            }
            held = (build(stretch), stretch)
        }
        return attempt()
    }

    /// Whether an order waits that no step has taken up.
    public var hasNewOrders: Bool { orders?.isWaiting ?? false }

    /// The thread ends: open orders are given up.
    public func endOrders() {
        orders?.close()
    }

    private func replay(at now: MonotonicInstant) -> Bool {
        orders?.replay(at: now) { batch throws(SondeError) in try deliver(batch) } ?? false
    }

    /// Makes the next step an attempt, although the backoff is not over: at the stop there may be no later one.
    ///
    /// False when there is no backoff to cut short, or the receiver has asked for it, or a person has to act first.
    public func cutBackoffShort() -> Bool {
        guard notBefore != nil, announced == .retry, failure?.failureClass != .rateLimited else { return false }
        notBefore = nil
        return true
    }

    /// How many points and documents have not been delivered.
    public var waiting: Int { spool.backlog(of: settings.id).count }

    /// When the next attempt may be made, or nil: now.
    private func pause(at now: MonotonicInstant) -> MonotonicInstant? {
        guard let pausedUntil, pausedUntil > now else { return nil }
        return pausedUntil
    }

    /// When the thread must come back, or nil: a batch is ready.
    private func waitForBatch(_ now: MonotonicInstant, draining: Bool) -> Next? {
        var backlog = spool.backlog(of: settings.id)
        if backlog.count == 0 {
            gate.becomeIdle()
            // What was appended between the look and the line above woke nobody.
            backlog = spool.backlog(of: settings.id)
            guard backlog.count > 0 else {
                publish(.idle)
                return .whenWoken
            }
        }
        let due = gate.readiness(backlog, at: now)
        guard !draining, due > now else { return nil }
        gate.fill(until: due)
        // What filled the batch between the look and the line above woke nobody.
        backlog = spool.backlog(of: settings.id)
        guard gate.isFull(backlog) else {
            publish(.running, until: due)
            return .whenWoken
        }
        _ = gate.readiness(backlog, at: now)
        return nil
    }

    /// What waits could not be cut: the gate is busy, so that no commit would wake the thread.
    private func waitForStorage() -> Next {
        let next = clock.monotonicTime.advanced(by: Self.storagePause)
        notBefore = next
        return .at(next)
    }

    private func build(_ stretch: Stretch) -> Batch {
        let content = spool.read(stretch, for: settings.id)
        // While sinks keep the log safe nobody else asks, and what the read found lost must not die with the process.
        for loss in spool.takeLosses() { ledger.record(loss) }
        return builder.batch(stretch, content.points, content.documents)
    }

    private func start() -> Bool {
        do throws(SondeError) {
            try instance.start()
            isStarted = true
            recover()
            return true
        } catch {
            announce(error) { $0.failWithoutBatch(error, at: clock.wallTime) }
            return false
        }
    }

    private func attempt() -> Next {
        guard let (batch, stretch) = held else { return .at(clock.monotonicTime) }
        guard !batch.isEmpty else {
            // Everything in it was filtered out or taken by overflow: nobody was asked, so nothing has recovered.
            spool.acknowledge(stretch, for: settings.id)
            held = nil
            return .at(clock.monotonicTime)
        }
        do throws(SondeError) {
            switch try deliver(batch) {
            case .cancelled: return .at(clock.monotonicTime.advanced(by: .milliseconds(100)))
            case .delivered(let rejected, let reason):
                accept(batch, stretch, rejected: rejected, reason: reason)
                return .at(pausedUntil ?? clock.monotonicTime)
            }
        } catch {
            status.failedAttempts &+= 1
            return dispose(error, stretch)
        }
    }

    private func deliver(_ batch: Batch) throws(SondeError) -> DeliveryOutcome {
        let deadline = clock.monotonicTime.advanced(by: settings.attemptLimit)
        observer.callBegan(deadline: deadline)
        defer { observer.callEnded() }
        return try instance.deliver(
            batch,
            CallConditions(
                cancelDescriptor: cancelDescriptor,
                deadline: deadline,
                time: clock.wallTime,
                interval: .zero
            )
        )
    }

    private func accept(_ batch: Batch, _ stretch: Stretch, rejected: UInt64, reason: String) {
        spool.acknowledge(stretch, for: settings.id)
        held = nil
        pace(after: stretch)
        grow()
        orders?.liveDelivered()
        status.deliveredBatches &+= 1
        let points = UInt64(batch.entries.count)
        status.deliveredPoints &+= points - min(points, rejected)
        if rejected > 0 {
            lose(min(points, rejected), of: batch.entries.map(\.point.time), reason: "rejected_by_receiver")
            log.log(.warning, "the receiver took out \(rejected) points: \(reason)", component: settings.id)
        }
        recover()
        entry?.update { $0.succeed(at: clock.monotonicTime) }
        publish(.running, until: pausedUntil)
    }

    private func pace(after stretch: Stretch) {
        let backlog = waiting
        let now = clock.monotonicTime
        let tail = stretch.last &+ UInt64(backlog)
        let wait = pacer.accepted(stretch.count, backlog: backlog, tail: tail, at: now)
        pausedUntil = wait > .zero ? now.advanced(by: wait) : nil
    }

    private func dispose(_ error: SondeError, _ stretch: Stretch) -> Next {
        if error.code == .outputClosed {
            spool.removeReader(settings.id)
            publish(.ended)
            return .ended
        }
        let isIndivisible = held.map { $0.batch.entries.count + $0.batch.documents.count <= 1 } ?? true
        let error = error.failureClass == .tooLarge && isIndivisible ? error.asPermanentData : error
        switch announce(error, { $0.fail(error, at: clock.wallTime) }) {
        case .retry, .hold:
            pacer.failed(tail: stretch.first &+ UInt64(waiting), at: clock.monotonicTime)
            reoffer()
        case .setAside: setAside(stretch, error)
        case .split: split(stretch)
        }
        entry?.update { $0.delivery = status }
        return .at(notBefore ?? clock.monotonicTime)
    }

    /// Takes a failure and tells of it when it, or what is done about it, is another than before.
    @discardableResult
    private func announce(
        _ error: SondeError,
        _ take: (inout FailureTracker) -> (Disposition, Nanoseconds)
    ) -> Disposition {
        let isRepetition = tracker.isRepetition(error)
        let (disposition, wait) = take(&tracker)
        if wait > .zero { notBefore = clock.monotonicTime.advanced(by: wait) }
        entry?.update { $0.fail(error, at: clock.monotonicTime) }
        publish(disposition == .hold ? .held : disposition == .retry ? .backingOff : .running, until: notBefore)
        defer { announced = disposition }
        guard !isRepetition || disposition != announced else { return disposition }
        switch disposition {
        case .retry: log.log(.warning, error.adding(.retry(after: wait)))
        case .hold: log.log(.error, error.adding(.probe(every: wait)))
        case .setAside: log.log(.error, error.adding(.setAside))
        case .split: log.log(.warning, error.adding(.split))
        }
        return disposition
    }

    private func reoffer() {
        guard let (batch, stretch) = held else { return }
        held = (builder.reoffered(batch), stretch)
    }

    private func setAside(_ stretch: Stretch, _ error: SondeError) {
        guard let (batch, _) = held else { return }
        status.refusedPoints &+= UInt64(batch.entries.count)
        if deadLetters?.keep(batch, because: error, at: clock.wallTime) == true {
            status.deadLetteredPoints &+= UInt64(batch.entries.count)
        } else {
            let times = batch.entries.map(\.point.time) + batch.documents.map(\.time)
            lose(UInt64(times.count), of: times, reason: "refused_by_receiver")
        }
        spool.acknowledge(stretch, for: settings.id)
        held = nil
    }

    private func split(_ stretch: Stretch) {
        let half = max(1, stretch.count / 2)
        maxCount = max(1, min(maxCount, half))
        acceptedAtSize = 0
        guard let shorter = spool.shorten(for: settings.id, to: half) else { return }
        held = (build(shorter), shorter)
    }

    private func grow() {
        guard maxCount < settings.maxCount else { return }
        acceptedAtSize += 1
        guard acceptedAtSize >= Self.acceptedUntilGrowth else { return }
        acceptedAtSize = 0
        maxCount = maxCount > settings.maxCount / 2 ? settings.maxCount : maxCount * 2
    }

    private func lose(_ count: UInt64, of times: [Timestamp], reason: String) {
        guard count > 0 else { return }
        ledger.record(
            Loss(reason: reason, component: settings.id, from: times.min(), to: times.max(), count: count)
        )
    }

    private func publish(_ state: InstanceState, until wake: MonotonicInstant? = nil) {
        entry?.update {
            $0.delivery = status
            $0.enter(state, at: clock.monotonicTime, until: wake)
        }
    }

    private func recover() {
        announced = nil
        guard let ended = tracker.succeed() else { return }
        entry?.update { $0.recover(at: clock.monotonicTime) }
        log.log(.info, "recovered from \(ended.code)", component: settings.id)
    }
}

extension Batch {
    /// Whether there is nothing in it to deliver.
    fileprivate var isEmpty: Bool { entries.isEmpty && documents.isEmpty }
}
