public import SondeDomain

/// Runs one sink: cuts batches, offers them, and handles each failure by its class.
///
/// `step` makes at most one attempt and returns when it is to run again; the thread of the instance calls it in a loop.
/// A stretch is offered again, unchanged, until it is delivered or set aside; nothing else delays it.
public final class DeliverBatches {
    /// The result of a step.
    public enum Next: Hashable, Sendable {
        /// Run again at this instant.
        case at(MonotonicInstant)
        /// Run again when the gate wakes the thread; the gate has set the timer if an instant is known.
        case whenWoken
        /// The sink's output is closed permanently: no further steps.
        case ended
    }

    /// The sink's figures so far.
    public var status: Status { account.status }
    /// The failure that blocks the sink, if there is one.
    public var failure: SondeError? { failures.current }
    /// Executes orders to the sink; nil: it takes none.
    ///
    /// Set before the first step.
    public var orders: CarryOutOrders?
    /// What wakes the thread that syncs the log; nil: there is none.
    ///
    /// Set before the first step.
    public var syncs: SyncSchedule?
    /// Requests that a failed attempt is repeated at once; nil: it takes none.
    public var retry: RetryRequest?
    /// The notice that the instance's process has ended; nil: it has none.
    public var ended: EndNotice?

    private let settings: Settings
    private let agent: String
    private let instance: any SinkInstance
    private let spool: any SpoolStore
    private let gate: DeliveryGate
    private let clock: any Clock
    private let log: any EventLog
    private let observer: any CallObserver
    private let cancelDescriptor: Int32
    private let account: DeliveryAccount
    private var failures: DeliveryFailures
    private var cutter: BatchCutter
    private var health: NewestHealth?
    private var sentHealth: SentHealth?
    private var healthFailure: ErrorCode?
    private var isStarted = false
    // A process that has ended may end again after a start that succeeds.
    private var hasToProveItself = false
    private var pacer: DrainPacer
    private var pausedUntil: MonotonicInstant?
    private var attemptBegan: MonotonicInstant

    // A disk that is full or fails is not retried more often.
    private static let storagePause = Nanoseconds.seconds(1)
    private static let longestSplay = Nanoseconds.seconds(30)

    /// A use case for one sink instance of the agent with the UUID `agent`.
    public init(
        settings: Settings,
        agent: String,
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
        self.agent = agent
        self.instance = instance
        self.spool = spool
        self.gate = gate
        self.clock = clock
        self.log = log
        self.observer = observer
        self.cancelDescriptor = cancelDescriptor
        account = DeliveryAccount(sink: settings.id, ledger: ledger, clock: clock, entry: entry)
        failures = DeliveryFailures(
            settings, deadLetters: deadLetters, account: account, clock: clock, log: log, random: random)
        cutter = BatchCutter(settings, agent: agent, spool: spool, ledger: ledger, clock: clock)
        pacer = DrainPacer(batchSize: settings.maxCount)
        attemptBegan = clock.monotonicTime
        let backlog = spool.backlog(of: settings.id)
        guard backlog.count > 0 else { return }
        // What an earlier run left is not sent at the moment when every host restarts, and not all at once.
        let now = clock.monotonicTime
        let splay = HostSplay.delay(agent: agent, sink: settings.id, within: Self.longestSplay)
        pausedUntil = now.advanced(by: splay)
        pacer.resumed(backlog, at: now)
    }

    /// Sends what the agent says of itself, which `newest` reads, in batches of their own beside those of the log;
    /// `interval` is how often there are new ones, `sent` what receivers have.
    ///
    /// Before the first step.
    public func sendHealth(
        sent: SentHealth = SentHealth(),
        _ newest: @escaping @Sendable () -> (contents: SpoolContents, interval: Nanoseconds)
    ) {
        health = NewestHealth(settings, agent: agent, for: instance, sent: sent, newest: newest)
        sentHealth = sent
    }

    /// Continues where an instance of the same id has stopped, at once.
    ///
    /// Before the first step, when the other has ended.
    public func takeOver() {
        pausedUntil = nil
        let backlog = spool.backlog(of: settings.id)
        if backlog.count > 0 { pacer.resumed(backlog, at: clock.monotonicTime) }
    }

    /// The sink is removed permanently: its cursor is removed, and what waits for it is reported as lost.
    public func giveUpPlace() {
        spool.removeReader(settings.id)
        sentHealth?.forget(settings.id)
    }

    /// Makes at most one attempt and returns when to run again.
    ///
    /// `draining`: do not wait for a batch to fill.
    public func step(draining: Bool = false) -> Next {
        let now = clock.monotonicTime
        if !draining, let purged = orders?.purge(offered: cutter.current?.stretch) {
            if purged.stretch == cutter.current?.stretch { cutter.pass() }
            return .at(now)
        }
        orders?.wakeWhenDue(after: now)
        noteEnd()
        // A request means more than the backoff: the receiver is reachable, or accepts the agent again.
        if retry?.take() == true { failures.wait(until: nil) }
        if let notBefore = failures.notBefore, notBefore > now { return .at(notBefore) }
        failures.wait(until: nil)
        if !draining, let pause = pause(at: now) { return .at(pause) }
        guard isStarted || start() else { return .at(failures.notBefore ?? now) }
        attemptBegan = now
        if cutter.current == nil {
            if !draining, orders?.hasTurn(at: now) == true, replay(at: now) { return .at(clock.monotonicTime) }
            if let next = waitForBatch(now, draining: draining) {
                return !draining && replay(at: now) ? .at(clock.monotonicTime) : next
            }
        }
        // What may be the last batch of the log is the last one.
        if draining { sendHealth(.last) }
        guard cutter.cut() else { return waitForStorage() }
        return attempt(draining: draining)
    }

    /// Lets a sink that serves do so until `descriptor` is readable: a step is due, or the thread should stop.
    ///
    /// False: it has failed, and the next step is due at once.
    public func serve(until descriptor: Int32) -> Bool {
        guard instance.isServing, isStarted else { return true }
        do throws(SondeError) {
            _ = try instance.serve(
                CallConditions(
                    cancelDescriptor: descriptor, deadline: .distantFuture, time: clock.wallTime, interval: .zero))
            return true
        } catch {
            isStarted = false
            failures.takeStart(takeEnd() ?? error)
            return false
        }
    }

    /// Whether something waits that no step has handled: an order, or the end of the instance's process.
    public var hasNews: Bool { orders?.isWaiting == true || ended?.isGiven == true }

    /// The sink stops and nothing waits any more: sends how the agent is, if that has changed.
    public func sendLastHealth() {
        sendHealth(.last)
    }

    /// The thread ends: open orders are abandoned.
    public func endOrders() {
        orders?.close()
    }

    private func replay(at now: MonotonicInstant) -> Bool {
        orders?.replay(at: now) { batch throws(SondeError) in try deliver(batch) } ?? false
    }

    /// Makes the next step an attempt, although the backoff is not over: at the stop there may be no later one.
    ///
    /// False when there is no backoff to end, or the receiver has requested it, or has refused access.
    public func cutBackoffShort() -> Bool { failures.cutBackoffShort() }

    /// How many points and documents have not been delivered.
    public var waiting: Int { spool.backlog(of: settings.id).count }

    /// When the next attempt may be made, or nil: now.
    private func pause(at now: MonotonicInstant) -> MonotonicInstant? {
        guard let pausedUntil, pausedUntil > now else { return nil }
        return pausedUntil
    }

    /// When the next step is due, or nil: a batch is ready.
    private func waitForBatch(_ now: MonotonicInstant, draining: Bool) -> Next? {
        var backlog = spool.backlog(of: settings.id)
        if backlog.count == 0 {
            gate.becomeIdle()
            // What was appended between the check and the line above woke no thread.
            backlog = spool.backlog(of: settings.id)
            guard backlog.count > 0 else {
                account.publish(.idle)
                return .whenWoken
            }
        }
        let due = gate.readiness(backlog, at: now)
        guard !draining, due > now else { return nil }
        gate.fill(until: due)
        // What filled the batch between the check and the line above woke no thread.
        backlog = spool.backlog(of: settings.id)
        guard gate.isFull(backlog) else {
            account.publish(.running, until: due)
            return .whenWoken
        }
        _ = gate.readiness(backlog, at: now)
        return nil
    }

    /// What waits could not be cut or made shorter: the gate is busy, so that no commit would wake the thread.
    private func waitForStorage() -> Next {
        let next = clock.monotonicTime.advanced(by: Self.storagePause)
        failures.wait(until: next)
        account.publish(.backingOff, until: next)
        return .at(next)
    }

    private func start() -> Bool {
        do throws(SondeError) {
            observer.callBegan(deadline: clock.monotonicTime.advanced(by: CallConditions.setupLimit))
            defer { observer.callEnded() }
            try instance.start()
            isStarted = true
            if !hasToProveItself { failures.recover() }
            return true
        } catch {
            failures.takeStart(takeEnd() ?? error)
            return false
        }
    }

    /// Restarts an instance whose process has ended; while it fails anyway, nothing changes.
    private func noteEnd() {
        guard let error = takeEnd(), failures.current == nil else { return }
        failures.takeStart(error)
    }

    private func takeEnd() -> SondeError? {
        guard let error = ended?.take() else { return nil }
        isStarted = false
        hasToProveItself = true
        return error
    }

    private func attempt(draining: Bool) -> Next {
        guard let cut = cutter.current else { return .at(clock.monotonicTime) }
        guard !cut.isEmpty else {
            // Everything in it was filtered out or dropped by overflow: there was no call, so nothing has recovered.
            cutter.pass()
            if !draining { sendHealth(.regular) }
            return .at(clock.monotonicTime)
        }
        // It was synced when it was cut.
        syncs?.sinkHasSynced(isSettled: spool.isSettled)
        account.begin()
        do throws(SondeError) {
            switch try deliver(cut.batch, isFinal: draining && waiting <= cut.stretch.count) {
            case .cancelled: return .at(clock.monotonicTime.advanced(by: .milliseconds(100)))
            case .delivered(let rejected, let reason):
                accept(cut, rejected: rejected, reason: reason)
                if !draining { sendHealth(.regular) }
                return .at(pausedUntil ?? clock.monotonicTime)
            }
        } catch {
            return refuse(takeEnd() ?? error)
        }
    }

    /// Sends how the agent is now, if that is due, to a receiver that has not refused what was last offered.
    ///
    /// A failure is logged and changes nothing: the next batch of the log meets the same receiver, and is what is judged.
    private func sendHealth(_ occasion: NewestHealth.Occasion) {
        guard isStarted, failures.current == nil, cutter.current == nil else { return }
        while health?.begin(at: clock.monotonicTime, occasion) == true {
            // A copy for the report: it gets the room that series of the log leave, and holds none.
            var bounds = cutter.bounds
            while let whole = health?.batch(besides: spool.epoch(of: settings.id)) {
                guard deliverHealth(cutter.bounded(whole, by: &bounds), occasion) else { return }
            }
        }
    }

    private func deliverHealth(_ batch: Batch, _ occasion: NewestHealth.Occasion) -> Bool {
        guard !batch.entries.isEmpty else {
            health?.isDelivered()
            return true
        }
        do throws(SondeError) {
            guard case .delivered(let rejected, _) = try deliver(batch, within: Self.patience(occasion)) else {
                return false
            }
            health?.isDelivered()
            healthFailure = nil
            account.status.deliveredBatches &+= 1
            account.status.deliveredPoints &+= UInt64(batch.entries.count) - min(UInt64(batch.entries.count), rejected)
            return true
        } catch {
            health?.isRefused(asTooLarge: error.failureClass == .tooLarge)
            guard healthFailure != error.code else { return false }
            healthFailure = error.code
            log.log(
                .warning, "what the agent says of itself was not taken: \(error.code): \(error.message)",
                component: settings.id)
            return false
        }
    }

    /// How long the log may wait for it; at the stop the time is short.
    private static func patience(_ occasion: NewestHealth.Occasion) -> Nanoseconds {
        switch occasion {
        case .regular: .seconds(10)
        case .last: .seconds(2)
        }
    }

    private func deliver(
        _ batch: Batch, isFinal: Bool = false, within patience: Nanoseconds = .seconds(.max)
    ) throws(SondeError) -> DeliveryOutcome {
        let now = clock.monotonicTime
        observer.callBegan(deadline: now.advanced(by: settings.attemptLimit))
        defer { observer.callEnded() }
        return try instance.deliver(
            batch,
            CallConditions(
                cancelDescriptor: cancelDescriptor,
                deadline: now.advanced(by: min(patience, settings.attemptLimit)),
                time: clock.wallTime,
                interval: .zero,
                isFinal: isFinal
            )
        )
    }

    private func accept(_ cut: BatchCutter.Cut, rejected: UInt64, reason: String) {
        cutter.pass()
        pace(after: cut.stretch)
        cutter.grow()
        orders?.liveDelivered()
        let entries = cut.batch.entries
        let lost = min(UInt64(entries.count), rejected)
        account.status.deliveredBatches &+= 1
        account.status.deliveredPoints &+= UInt64(entries.count) - lost &+ UInt64(cut.batch.documents.count)
        if rejected > 0 {
            account.status.rejectedPoints &+= lost
            account.lose(lost, of: entries.map(\.point.time), reason: .rejectedByReceiver)
            failures.takeRejection(of: rejected, reason)
        }
        hasToProveItself = false
        failures.recover()
        account.succeed()
        account.publish(.running, until: pausedUntil)
    }

    private func pace(after stretch: Stretch) {
        let backlog = waiting
        let now = clock.monotonicTime
        let tail = stretch.last &+ UInt64(backlog)
        let wait = pacer.accepted(stretch.count, backlog: backlog, tail: tail, at: now)
        // The time of the delivery itself is part of the pause: otherwise a slow receiver's backlog never shrinks.
        let next = attemptBegan.advanced(by: wait)
        pausedUntil = next > now ? next : nil
    }

    private func refuse(_ error: SondeError) -> Next {
        account.status.failedAttempts &+= 1
        if error.code == .outputClosed {
            spool.removeReader(settings.id)
            account.publish(.ended)
            return .ended
        }
        failures.take(error, of: &cutter, &pacer, waiting: waiting)
        return .at(failures.notBefore ?? clock.monotonicTime)
    }
}
