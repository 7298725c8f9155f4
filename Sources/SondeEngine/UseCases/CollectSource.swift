public import SondeDomain

/// Runs one source: starts it, collects on a fixed grid, backs off when it fails, collects a last time at the stop.
///
/// `step` does what is due and says when it wants to run again; the thread of the instance calls it in a loop. The
/// first collection is made at once, and the grid goes on from it or, so that hosts that start together do not collect
/// together ever after, at a phase of its own. Ticks that were missed are skipped and counted, never made up for.
public final class CollectSource {
    /// What has become of the source so far.
    public struct Status: Hashable, Sendable {
        /// Collections that succeeded.
        public var collections: UInt64 = 0
        /// Starts and collections that failed.
        public var failures: UInt64 = 0
        /// Ticks of the grid that were missed because a collection took too long or the machine stood still.
        public var missedTicks: UInt64 = 0
        /// Collections that took longer than the interval.
        public var overruns: UInt64 = 0
    }

    /// What has become of the source so far.
    public private(set) var status = Status()

    private let configuration: SourceConfiguration
    private let instance: any SourceInstance
    private let channel: SourceChannel
    private let clock: any Clock
    private let log: any EventLog
    private let observer: any CallObserver
    private let cancelDescriptor: Int32
    private let phase: Nanoseconds
    private let entry: StatusEntry?
    private let retry: RetryRequest?
    private var tracker: FailureTracker
    private var isStarted = false
    private var origin: MonotonicInstant?
    private var nextCollection: MonotonicInstant?
    private var nextTick: MonotonicInstant?
    private var tickFailure: SondeError?
    private var isOverrunning = false
    private var hasStreamFailed = false

    // A stream that held for this long had recovered before it failed again.
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
        retry: RetryRequest? = nil
    ) {
        self.configuration = configuration
        self.instance = instance
        self.channel = channel
        clock = channel.clock
        self.log = log
        self.observer = observer
        self.cancelDescriptor = cancelDescriptor
        self.phase = phase
        self.entry = entry
        self.retry = retry
        tracker = FailureTracker(
            backoff: Backoff(base: .seconds(1), cap: .seconds(300)),
            random: random
        )
        if instance.isStreaming { channel.holdWhatIsRefused() }
    }

    /// Does what is due and returns when it wants to run again.
    ///
    /// A streaming source blocks here in its own loop until it is cancelled.
    public func step() -> MonotonicInstant {
        let now = clock.monotonicTime
        // Only a wait after a failure is cut short: the grid of a source that is well stays as it is.
        if retry?.take() == true, tracker.current != nil { nextCollection = nil }
        if let due = nextCollection, due > now { return tickIfDue(now) }
        guard isStarted || start() else { return nextCollection ?? now }
        if instance.isStreaming {
            stream()
        } else {
            collect(isFinal: false)
        }
        return nextWake()
    }

    /// Starts the source if it was not yet, and collects whether it is due or not.
    public func collectNow() {
        guard isStarted || start() else { return }
        nextCollection = nil
        collect(isFinal: false)
    }

    /// Collects a last time, when the source is started and polled.
    public func finish() {
        guard isStarted, !instance.isStreaming else { return }
        collect(isFinal: true)
    }

    private func nextWake() -> MonotonicInstant {
        let collection = nextCollection ?? clock.monotonicTime
        return nextTick.map { min($0, collection) } ?? collection
    }

    private func start() -> Bool {
        if tracker.current == nil { publish(.starting) }
        do throws(SondeError) {
            try observed(deadline: .seconds(10)) { _ throws(SondeError) in
                try instance.start()
                return .completed
            }
            isStarted = true
            // That a stream can be opened does not say that it can be read.
            if !hasStreamFailed { recover() }
            return true
        } catch {
            fail(error)
            return false
        }
    }

    private func collect(isFinal: Bool) {
        let began = clock.monotonicTime
        if origin == nil {
            origin = gridOrigin(began)
            // It counts as the collection that is made now, so that those that are missed until the next are counted.
            nextCollection = origin
        }
        do throws(SondeError) {
            try observed(deadline: configuration.interval, isFinal: isFinal) { call throws(SondeError) in
                try instance.collect(call)
            }
            status.collections &+= 1
            recover()
            schedule(after: began)
            entry?.update { $0.succeed(at: clock.monotonicTime) }
            publish(.running, until: nextCollection)
        } catch {
            schedule(after: began)
            fail(error)
        }
    }

    private func gridOrigin(_ first: MonotonicInstant) -> MonotonicInstant {
        guard phase > .zero else { return first }
        return first.advanced(by: Nanoseconds(phase.value &- configuration.interval.value))
    }

    private func stream() {
        let began = clock.monotonicTime
        entry?.update { $0.beginStream(at: began) }
        do throws(SondeError) {
            try observed(deadline: nil) { call throws(SondeError) in try instance.run(call) }
            // It was cancelled, or has read its input to the end: nothing to do until the stop.
            nextCollection = .distantFuture
            recover()
            publish(.idle)
        } catch {
            isStarted = false
            hasStreamFailed = true
            if clock.monotonicTime.since(began) >= Self.steadyStream { recover() }
            fail(error)
        }
    }

    /// The next tick of the grid that lies in the future; those between are missed.
    private func schedule(after began: MonotonicInstant) {
        let interval = max(configuration.interval.value, 1)
        let now = clock.monotonicTime
        let first = origin ?? began
        let due = nextCollection ?? began
        let index = max(0, now.since(first).value) / interval + 1
        let next = first.advanced(by: Nanoseconds(interval) * index)
        let skipped = max(0, next.since(due).value / interval - 1)
        nextCollection = next
        scheduleTick(after: next.advanced(by: Nanoseconds(-interval)), now)
        let wasOverrunning = isOverrunning
        noteOverrun(took: now.since(began))
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
        guard let due = nextTick, due <= now else { return nextWake() }
        do throws(SondeError) {
            try observed(deadline: channel.tickPeriod) { call throws(SondeError) in try instance.tick(call) }
            tickFailure = nil
        } catch {
            if tickFailure?.code != error.code { log.log(.warning, error) }
            tickFailure = error
        }
        scheduleTick(after: due, clock.monotonicTime)
        return nextWake()
    }

    /// The next tick of the grid that begins at `origin`; those between are missed.
    ///
    /// A collection is a reading as well: the tick that falls together with it is left out, so that it is not a wake-up of
    /// its own.
    private func scheduleTick(after origin: MonotonicInstant, _ now: MonotonicInstant) {
        nextTick = nil
        let period = channel.tickPeriod
        guard instance.offersTick, period > .zero else { return }
        let skipped = max(0, now.since(origin).value) / period.value
        let tick = origin.advanced(by: period * (skipped + 1))
        if let nextCollection, nextCollection.since(tick).value <= period.value / 2 { return }
        nextTick = tick
    }

    private func fail(_ error: SondeError) {
        status.failures &+= 1
        let isRepetition = tracker.isRepetition(error)
        let now = clock.monotonicTime
        let (disposition, wait) = tracker.failWithoutBatch(error, at: clock.wallTime)
        let later = now.advanced(by: wait)
        nextCollection = onGrid(max(nextCollection ?? now, later))
        entry?.update { $0.fail(error, at: now) }
        publish(disposition == .hold ? .held : .backingOff, until: nextCollection)
        guard !isRepetition else { return }
        let action: RecoveryAction = disposition == .hold ? .probe(every: wait) : .retry(after: wait)
        log.log(.error, error.adding(action))
    }

    /// The first tick of the grid at or after an instant, so that a source that failed comes back in step.
    private func onGrid(_ instant: MonotonicInstant) -> MonotonicInstant {
        guard let origin, isStarted else { return instant }
        let interval = max(configuration.interval.value, 1)
        let since = max(0, instant.since(origin).value)
        let index = since / interval + (since % interval == 0 ? 0 : 1)
        return origin.advanced(by: Nanoseconds(interval) * index)
    }

    private func publish(_ state: InstanceState, until wake: MonotonicInstant? = nil) {
        entry?.update {
            $0.collection = status
            $0.enter(state, at: clock.monotonicTime, until: wake)
        }
    }

    private func recover() {
        guard let ended = tracker.succeed() else { return }
        entry?.update { $0.recover(at: clock.monotonicTime) }
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
        channel.setTickTime(span == nil ? nil : wall)
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
