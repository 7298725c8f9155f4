internal import SondeDomain

/// Handles each failure of one sink by its class, and reports it when it differs from the one before.
///
/// The one place where a disposition becomes an action. Used from the sink's thread.
struct DeliveryFailures {
    /// When the sink may try again after a failure; nil: at once.
    private(set) var notBefore: MonotonicInstant?
    /// The failure that blocks the sink, if there is one.
    var current: SondeError? { tracker.current }

    private let sink: String
    private let deadLetters: (any DeadLetterStore)?
    private let account: DeliveryAccount
    private let clock: any Clock
    private let log: any EventLog
    private var tracker: FailureTracker
    private var announced: Disposition?
    private var rejections = FailureEpisodes()
    // The outcome for the batch that was set aside last, in this row of refusals.
    private var outcome: Outcome?

    /// The outcome for a batch that was refused permanently.
    private enum Outcome {
        case kept
        case lost
        /// There is no folder for dead letters.
        case nowhereToKeep
    }

    /// Failures of a sink, none so far.
    init(
        _ settings: DeliverBatches.Settings,
        deadLetters: (any DeadLetterStore)?,
        account: DeliveryAccount,
        clock: any Clock,
        log: any EventLog,
        random: any RandomNumberGenerator & Sendable
    ) {
        sink = settings.id
        self.deadLetters = deadLetters
        self.account = account
        self.clock = clock
        self.log = log
        tracker = FailureTracker(backoff: settings.backoff, accessPolicy: settings.accessPolicy, random: random)
    }

    /// Blocks the sink until an instant; nil: not at all.
    mutating func wait(until instant: MonotonicInstant?) {
        notBefore = instant
    }

    /// Ends a backoff before its time: at the stop there may be no later attempt.
    ///
    /// False when there is none to end, or the receiver has requested it, or has refused access: an account whose
    /// credentials fail repeatedly may be locked, and only a person can change them.
    mutating func cutBackoffShort() -> Bool {
        guard notBefore != nil, let current, current.retryAfter == nil else { return false }
        guard current.failureClass != .rateLimited, current.failureClass != .accessRefused else { return false }
        notBefore = nil
        return true
    }

    /// The sink could not be started.
    mutating func takeStart(_ error: SondeError) {
        let time = clock.wallTime
        announce(error) { $0.failWithoutBatch(error, at: time) }
    }

    /// The batch under way was not accepted: takes the action that follows.
    mutating func take(_ error: SondeError, of cutter: inout BatchCutter, _ pacer: inout DrainPacer, waiting: Int) {
        guard let cut = cutter.current else { return }
        let error = error.failureClass == .tooLarge && cut.isIndivisible ? error.asPermanentData : error
        let time = clock.wallTime
        switch announce(error, { $0.fail(error, at: time) }) {
        case .retry, .hold:
            account.status.retries &+= 1
            pacer.failed(tail: cut.stretch.first &+ UInt64(waiting), at: clock.monotonicTime)
            if error.failureClass == .rateLimited { pacer.slowDown() }
            cutter.reoffer()
        case .setAside:
            setAside(cut.batch, error)
            cutter.pass()
        case .split: cutter.split()
        }
        account.publish()
    }

    /// The receiver accepted a batch but for some of its points.
    mutating func takeRejection(of count: UInt64, _ reason: String) {
        let error = SondeError(
            .pointRejected,
            stage: .deliver,
            class: .permanentData,
            message: "the receiver took out \(points(count)): \(reason)",
            component: sink
        )
        report(rejections.take([error], at: clock.monotonicTime))
    }

    private func report(_ reports: [FailureEpisodes.Report]) {
        for report in reports { log.log(.warning, report, component: sink) }
    }

    /// A start or a batch succeeded: what failed works again.
    mutating func recover() {
        announced = nil
        outcome = nil
        report(rejections.settle(at: clock.monotonicTime))
        guard let ended = tracker.succeed() else { return }
        account.recover()
        log.log(.info, "recovered from \(ended.code)", component: sink)
    }

    /// Takes a failure and reports it when it, or the action after it, differs from before.
    @discardableResult
    private mutating func announce(
        _ error: SondeError,
        _ take: (inout FailureTracker) -> (Disposition, Nanoseconds)
    ) -> Disposition {
        let isRepetition = tracker.isRepetition(error)
        let (disposition, wait) = take(&tracker)
        if wait > .zero { notBefore = clock.monotonicTime.advanced(by: wait) }
        account.fail(error)
        account.publish(disposition == .hold ? .held : disposition == .retry ? .backingOff : .running, until: notBefore)
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

    private mutating func setAside(_ batch: Batch, _ error: SondeError) {
        let count = UInt64(batch.entries.count &+ batch.documents.count)
        account.status.failedPoints[error.failureClass, default: 0] &+= count
        let outcome = keep(batch, because: error)
        if outcome == .kept {
            account.status.deadLetteredPoints &+= count
        } else {
            let times = batch.entries.map(\.point.time) + batch.documents.map(\.time)
            account.lose(UInt64(times.count), of: times, reason: .refusedByReceiver)
        }
        // Once in a row of refusals, and again when it is another outcome.
        if outcome != self.outcome { log.log(.error, .refused(batch, because: error, Self.text(outcome))) }
        self.outcome = outcome
    }

    private func keep(_ batch: Batch, because error: SondeError) -> Outcome {
        guard let deadLetters else { return .nowhereToKeep }
        return deadLetters.keep(batch, because: error, at: clock.wallTime) ? .kept : .lost
    }

    private static func text(_ outcome: Outcome) -> String {
        switch outcome {
        case .kept: "is kept as a dead letter"
        case .lost: "is lost: it could not be kept as a dead letter"
        case .nowhereToKeep: "is lost: no dead letters are kept"
        }
    }
}

private func points(_ count: some BinaryInteger) -> String {
    count == 1 ? "1 point" : "\(count) points"
}

extension SondeError {
    /// A batch was refused permanently, with the outcome.
    fileprivate static func refused(_ batch: Batch, because error: SondeError, _ outcome: String) -> SondeError {
        let count = batch.entries.count + batch.documents.count
        return SondeError(
            .batchRefused,
            stage: .deliver,
            class: .permanentData,
            message: "batch \(batch.identity.text) with \(points(count)) was refused (\(error.code)) and \(outcome)",
            component: batch.sink
        )
    }
}
