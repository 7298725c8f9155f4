public import SondeDomain

/// Runs one source: starts it, collects on a fixed grid, backs off when it fails, collects a last time at the stop.
///
/// `step` does what is due and returns when it is to run again; the thread of the instance calls it in a loop. The
/// first collection is made at once, and the grid continues from it or, so that hosts that start together do not always
/// collect together, at its own phase. Ticks that were missed are skipped and counted, and not repeated.
public final class CollectSource {
    /// The source's figures so far.
    public struct Status: Hashable, Sendable {
        /// Collections that succeeded.
        public var collections: UInt64 = 0
        /// Starts and collections that failed.
        public var failures: UInt64 = 0
        /// Ticks of the grid that were missed because a collection took too long or the machine was suspended.
        public var missedTicks: UInt64 = 0
        /// Collections that took longer than the interval.
        public var overruns: UInt64 = 0
        /// How long collections took, those that failed included.
        public var duration = Nanoseconds.zero
        /// How late the last collection began; nil: it had no scheduled time.
        public var lateness: Nanoseconds?
        /// Whether it streams: then there are no collections.
        public var isStream = false
    }

    /// The source's figures so far.
    public private(set) var status = Status()

    private let configuration: SourceConfiguration
    private let instance: any SourceInstance
    private let channel: SourceChannel
    private let clock: any Clock
    private let log: any EventLog
    private let observer: any CallObserver
    private let cancelDescriptor: Int32
    private let entry: StatusEntry?
    private let retry: RetryRequest?
    private let ended: EndNotice?
    private var tracker: FailureTracker
    /// What followed the last failure, until a success.
    private var announced: Disposition?
    private var isStarted = false
    private var grid: CollectionGrid
    private var tickFailure: SondeError?
    private var isOverrunning = false
    // A stream that has failed, or a process that has ended, may fail again after a start that succeeds.
    private var hasToProveItself = false
    /// A stream that has ended, until it goes on: why, and since when nothing is known of what it reads.
    private var gap: (reason: LossReason, from: Timestamp)?

    // A stream that lasted for this long had recovered before it failed again.
    static let steadyStream = Nanoseconds.seconds(60)

    /// A use case for one source instance.
    ///
    /// `phase`: from the first collection to the second, instead of an interval; zero: an interval.
    public init(
        configuration: SourceConfiguration,
        instance: any SourceInstance,
        channel: SourceChannel,
        log: any EventLog,
        observer: any CallObserver,
        cancelDescriptor: Int32,
        random: any RandomNumberGenerator & Sendable,
        phase: Nanoseconds = .zero,
        entry: StatusEntry? = nil,
        retry: RetryRequest? = nil,
        ended: EndNotice? = nil
    ) {
        self.configuration = configuration
        self.instance = instance
        self.channel = channel
        clock = channel.clock
        self.log = log
        self.observer = observer
        self.cancelDescriptor = cancelDescriptor
        grid = CollectionGrid(interval: configuration.interval, phase: phase)
        self.entry = entry
        self.retry = retry
        self.ended = ended
        tracker = FailureTracker(
            backoff: Backoff(base: .seconds(1), cap: .seconds(300)),
            random: random
        )
        guard instance.isStreaming else { return }
        channel.holdWhatIsRefused()
        status.isStream = true
    }

    /// Does what is due and returns when it is to run again.
    ///
    /// A streaming source blocks here in its own loop until it is cancelled.
    public func step() -> MonotonicInstant {
        noteEnd()
        let now = clock.monotonicTime
        // Only a wait after a failure is cut short: the grid of a source that works is not changed.
        if retry?.take() == true, tracker.current != nil { grid.collectAtOnce() }
        if let due = grid.nextCollection, due > now { return tickIfDue(now) }
        guard isStarted || start() else {
            channel.reportHealth()
            return grid.nextCollection ?? now
        }
        if instance.isStreaming {
            stream()
        } else {
            collect(isFinal: false)
            channel.reportHealth()
        }
        return grid.nextWake ?? clock.monotonicTime
    }

    /// Collects a last time, when the source is started and polled.
    public func finish() {
        channel.leaveOutOfHistory(within: Nanoseconds(configuration.interval.value / 2))
        if isStarted, !instance.isStreaming { collect(isFinal: true) } else { channel.setTickTime(nil) }
        reportGap()
        channel.reportHealth()
    }

    /// The source is removed permanently: sinks are sent the end of its series.
    public func endSeries() {
        channel.endAllSeries()
    }

    private var tickPeriod: Nanoseconds { instance.offersTick ? channel.tickPeriod : .zero }

    private func start() -> Bool {
        if tracker.current == nil { publish(.starting) }
        do throws(SondeError) {
            try observed(deadline: CallConditions.setupLimit) { _ throws(SondeError) in
                try instance.start()
                return .completed
            }
            isStarted = true
            reportGap()
            // A stream that can be opened need not be readable.
            if !hasToProveItself { recover() }
            return true
        } catch {
            fail(takeEnd() ?? error)
            return false
        }
    }

    /// Restarts an instance whose process has ended; while it fails anyway, nothing changes.
    private func noteEnd() {
        guard let error = takeEnd(), tracker.current == nil else { return }
        fail(error)
    }

    private func takeEnd() -> SondeError? {
        guard let error = ended?.take() else { return nil }
        isStarted = false
        hasToProveItself = true
        return error
    }

    private func collect(isFinal: Bool) {
        let began = clock.monotonicTime
        status.lateness = isFinal ? nil : grid.nextCollection.map { max(.zero, began.since($0)) }
        grid.begin(at: began)
        do throws(SondeError) {
            let outcome = try observed(deadline: configuration.interval, isFinal: isFinal) { call throws(SondeError) in
                try instance.collect(call)
            }
            // It has nothing to read at the stop: whether it would still fail is unknown.
            if isFinal, outcome == .cancelled { return }
            status.collections &+= 1
            hasToProveItself = false
            recover()
            schedule(after: began)
            entry?.update { $0.succeed(at: clock.monotonicTime) }
            publish(.running, until: grid.nextCollection)
        } catch {
            schedule(after: began)
            let reason = takeEnd() ?? error
            // The end of a process that was ended for this failure, or whose end was seen in the call, is not reported again.
            if !instance.isOpen {
                isStarted = false
                hasToProveItself = true
            }
            fail(reason)
        }
    }

    private func stream() {
        let (began, time) = (clock.monotonicTime, clock.wallTime)
        entry?.update { $0.beginStream(at: began) }
        do throws(SondeError) {
            try observed(deadline: nil) { call throws(SondeError) in try instance.run(call) }
            // It was cancelled, or has read its input to the end: it is idle until the stop.
            grid.rest()
            recover()
            publish(.idle)
        } catch {
            isStarted = false
            hasToProveItself = true
            if clock.monotonicTime.since(began) >= Self.steadyStream { recover() }
            let reason = takeEnd() ?? error
            noteGap(reason, since: time)
            fail(reason)
            channel.reportHealth()
        }
    }

    /// What a stream would read until it is started again is lost, unless it reads that then from a checkpoint.
    ///
    /// What a process has read and not committed is gone with it. One that fails by itself has committed that; where it has
    /// committed nothing, it had nothing to read.
    private func noteGap(_ reason: SondeError, since began: Timestamp) {
        guard gap == nil, channel.loadCheckpoint() == nil else { return }
        let commit = channel.lastCommit.flatMap { $0 >= began ? $0 : nil }
        if reason.code == .childEnded || reason.code == .childBrokeProtocol {
            gap = (.processEnded, commit ?? began)
        } else if let commit {
            gap = (.streamInterrupted, commit)
        }
    }

    private func reportGap() {
        guard let (reason, began) = gap else { return }
        gap = nil
        channel.reportLoss(Loss(reason, component: configuration.id, from: began, to: clock.wallTime))
    }

    private func schedule(after began: MonotonicInstant) {
        let now = clock.monotonicTime
        let skipped = grid.advance(after: began, at: now, tickPeriod: tickPeriod)
        let wasOverrunning = isOverrunning
        let took = now.since(began)
        status.duration = status.duration + took
        noteOverrun(took: took)
        guard skipped > 0 else { return }
        status.missedTicks &+= UInt64(skipped)
        // A source that always takes too long misses ticks every time: one line is enough.
        guard !wasOverrunning || !isOverrunning else { return }
        log.log(
            .warning, "\(skipped) collections were missed, \(status.missedTicks) so far", component: configuration.id)
    }

    private func noteOverrun(took: Nanoseconds) {
        guard took > configuration.interval else {
            if isOverrunning { log.log(.info, "collections fit the interval again", component: configuration.id) }
            isOverrunning = false
            return
        }
        status.overruns &+= 1
        guard !isOverrunning else { return }
        isOverrunning = true
        let error = SondeError(
            .callOverran,
            stage: .collect,
            class: .transient,
            message:
                "a collection took \(took.seconds) s, longer than the interval of \(configuration.interval.seconds) s",
            recovery: [.advise("Raise the interval of this source.")],
            component: configuration.id
        )
        log.log(.warning, error)
    }

    private func tickIfDue(_ now: MonotonicInstant) -> MonotonicInstant {
        guard let due = grid.nextTick, due <= now else { return grid.nextWake ?? now }
        do throws(SondeError) {
            try observed(deadline: channel.tickPeriod) { call throws(SondeError) in try instance.tick(call) }
            tickFailure = nil
        } catch {
            if tickFailure?.code != error.code { log.log(.warning, error) }
            tickFailure = error
        }
        grid.advanceTick(after: due, at: clock.monotonicTime, period: tickPeriod)
        return grid.nextWake ?? now
    }

    private func fail(_ error: SondeError) {
        status.failures &+= 1
        let isRepetition = tracker.isRepetition(error)
        let now = clock.monotonicTime
        let (disposition, wait) = tracker.failWithoutBatch(error, at: clock.wallTime)
        let later = now.advanced(by: wait)
        if isStarted {
            grid.skip(to: max(grid.nextCollection ?? now, later))
        } else {
            grid.postpone(until: later)
        }
        entry?.update { $0.fail(error, at: now) }
        publish(disposition == .hold ? .held : .backingOff, until: grid.nextCollection)
        defer { announced = disposition }
        guard !isRepetition || disposition != announced else { return }
        channel.sendSnapshot()
        let action: RecoveryAction = disposition == .hold ? .probe(every: wait) : .retry(after: wait)
        log.log(.error, error.adding(action))
    }

    private func publish(_ state: InstanceState, until wake: MonotonicInstant? = nil) {
        entry?.update {
            $0.collection = status
            $0.enter(state, at: clock.monotonicTime, until: wake)
        }
    }

    private func recover() {
        announced = nil
        guard let ended = tracker.succeed() else { return }
        entry?.update { $0.recover(at: clock.monotonicTime) }
        channel.sendSnapshot()
        log.log(.info, "recovered from \(ended.code)", component: configuration.id)
    }

    @discardableResult
    private func observed(
        deadline span: Nanoseconds?,
        isFinal: Bool = false,
        _ body: (CallConditions) throws(SondeError) -> CallOutcome
    ) throws(SondeError) -> CallOutcome {
        let now = clock.monotonicTime
        let deadline = span.map { now.advanced(by: $0) } ?? .distantFuture
        let wall = clock.wallTime
        channel.setTickTime(span == nil ? nil : (wall, now))
        observer.callBegan(deadline: deadline)
        defer { observer.callEnded() }
        return try body(
            CallConditions(
                cancelDescriptor: cancelDescriptor,
                deadline: deadline,
                time: wall,
                interval: configuration.interval,
                isFinal: isFinal
            )
        )
    }
}
