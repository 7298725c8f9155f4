internal import Glibc
public import SondeDomain
public import SondeEngine

/// Runs an agent: starts its threads, serves signals, and stops everything in order.
///
/// At the first SIGTERM or SIGINT sources collect a last time, then sinks deliver what waits within the grace time; at
/// a second one `run` returns at once. The key `q` acts like a signal. Used from the main thread.
public final class AgentRuntime {
    /// Why `run` returned.
    public enum End: Hashable, Sendable {
        /// Everything has ended.
        case stopped
        /// A second signal requested the end at once, or a call did not return within the grace time: threads may still
        /// be running, and the process should end without waiting for them.
        case abandoned
    }

    private enum Phase {
        case running
        case stoppingSources
        case drainingSinks
        case keepingLog
    }

    /// What was done to make calls under way return.
    private enum Pressure {
        case none
        case cancelled
        /// Those that have their own process were killed.
        case ended
    }

    // timeout(1) and some supervisors send a signal to the process and to its group: that is one request, not two.
    private static let signalEcho = Nanoseconds.milliseconds(500)

    // Long enough for first collections and deliveries to have used the code that only they need.
    private static let settlingTime = Nanoseconds.seconds(2)

    // Time after the grace time for a plugin to notice its cancel descriptor, and for the disk to write what is left.
    private static let cancelGrace = Nanoseconds.seconds(1)
    // From this grace time on both are part of it, as it bounds the whole stop.
    private static let ampleGrace = Nanoseconds.seconds(5)

    private let roster: Roster
    private let mailbox: RosterMailbox?
    private let reload: ReloadThread?
    private let pipeline: Pipeline
    private let grace: @Sendable () -> Nanoseconds
    private let notifier: ServiceNotifier?
    private let status: @Sendable () -> String
    private let clock: any Clock
    private let log: any EventLog
    private let control: ControlServer?
    private let health: ReportHealth?
    private let housekeeping: Housekeeping?
    private let keepers: [Housekeeping]
    private let signals: any SignalSource
    private let keyboard: Keyboard?
    private let loop: EventLoop
    private let graceTimer = LoopTimer()
    private let releaseTimer = LoopTimer()
    private var release = MemoryRelease()
    private let healthTimer = LoopTimer()
    private let aliveTimer = LoopTimer()
    private var phase = Phase.running
    private var stopBegan = MonotonicInstant(nanoseconds: 0)
    private var deadline = MonotonicInstant.distantFuture
    private var pressure = Pressure.none
    private var end = End.stopped

    /// A runtime whose threads were not started.
    ///
    /// `health` is notified of the stop. `housekeeping` syncs the log; `keepers` are other threads. `reload` gets
    /// hang-ups, and changes of sources and sinks arrive through `mailbox`. `notifier` reports to the service manager,
    /// with `status` in one line.
    public init(
        sources: [SourceRunner],
        sinks: [SinkRunner],
        pipeline: Pipeline,
        grace: @escaping @Sendable () -> Nanoseconds,
        control: ControlServer? = nil,
        health: ReportHealth? = nil,
        housekeeping: Housekeeping? = nil,
        keepers: [Housekeeping] = [],
        reload: ReloadThread? = nil,
        mailbox: RosterMailbox? = nil,
        notifier: ServiceNotifier? = nil,
        status: @escaping @Sendable () -> String = { "" },
        signals: any SignalSource,
        keyboard: Keyboard? = nil,
        clock: any Clock,
        log: any EventLog
    ) throws(SondeError) {
        self.reload = reload
        self.mailbox = mailbox
        self.notifier = notifier
        self.status = status
        self.pipeline = pipeline
        self.grace = grace
        self.control = control
        self.health = health
        self.housekeeping = housekeeping
        self.keepers = (housekeeping.map { [$0] } ?? []) + keepers
        self.signals = signals
        self.keyboard = keyboard
        self.clock = clock
        self.log = log
        loop = try EventLoop()
        roster = Roster(sinks + sources, loop, clock)
    }

    /// Runs until the agent was stopped.
    public func run() throws(SondeError) -> End {
        try watch()
        // Memory touched by reading the configuration and loading plugins is freed before sources touch theirs.
        ResidentMemory.release()
        control?.start(on: loop)
        defer { control?.stop() }
        let threads = try keepers.map { (keeper) throws(SondeError) in try keeper.start() }
        for runner in roster.all(.sink) + roster.all(.source) { try runner.start() }
        releaseTimer.arm(at: clock.monotonicTime.advanced(by: Self.settlingTime))
        notifier?.ready()
        aliveTimer.fire()
        loop.run()
        if end == .stopped {
            for runner in roster.all(.source) + roster.all(.sink) { runner.join() }
            for thread in threads { thread.join() }
        }
        return end
    }

    private func watch() throws(SondeError) {
        try loop.watch(signals.descriptor) { [unowned self] in
            while let signal = signals.next() { receive(signal) }
        }
        if let keyboard { try watch(keyboard) }
        loop.watch(releaseTimer) { [unowned self] in
            release.run()
            releaseTimer.arm(at: clock.monotonicTime.advanced(by: MemoryRelease.period))
        }
        for keeper in keepers {
            loop.watch(keeper.threadEnded) { [unowned self] in
                if keepers.allSatisfy(\.isFinished) { loop.stop() }
            }
        }
        watchHealth()
        watchAlive()
        loop.watch(graceTimer) { [unowned self] in graceIsOver() }
        try roster.watch { [unowned self] in advance() }
        reload?.watch(on: loop) { [unowned self] in
            // Memory touched by reading, checking and replacing is not needed again.
            release = MemoryRelease()
            releaseTimer.arm(at: clock.monotonicTime.advanced(by: Self.settlingTime))
        }
        if let mailbox {
            loop.watch(mailbox.arrival) { [unowned self] in changeRoster(mailbox) }
        }
    }

    /// Reports the agent's health when no source runs; with a log on disk a thread does that.
    private func watchHealth() {
        guard let health, housekeeping == nil else { return }
        healthTimer.arm(at: clock.monotonicTime.advanced(by: ReportHealth.longestSilence))
        loop.watch(healthTimer) { [unowned self] in healthTimer.arm(at: health.catchUp()) }
    }

    /// Notifies the service manager that this loop runs, which starts and stops everything: one that does not is restarted.
    private func watchAlive() {
        guard let notifier, let period = notifier.period else { return }
        loop.watch(aliveTimer) { [unowned self] in
            notifier.alive(status: status())
            aliveTimer.arm(at: clock.monotonicTime.advanced(by: period))
        }
    }

    private func watch(_ keyboard: Keyboard) throws(SondeError) {
        try loop.watch(keyboard.descriptor) { [unowned self] in
            switch keyboard.read() {
            case .quit: receive(SIGINT)
            case .other: return
            case .end: loop.unwatch(keyboard.descriptor)
            }
        }
    }

    private func changeRoster(_ mailbox: RosterMailbox) {
        guard let change = mailbox.take() else { return }
        do throws(SondeError) {
            try roster.begin(change, mailbox) { [unowned self] in advance() }
        } catch {
            mailbox.refuse(error)
        }
    }

    private func receive(_ signal: Int32) {
        guard signal != SIGHUP else {
            if phase == .running { reload?.requests.make() }
            return
        }
        guard phase == .running else {
            guard clock.monotonicTime.since(stopBegan) > Self.signalEcho else { return }
            log.log(.warning, "second signal: ending at once", component: nil)
            return abandon()
        }
        log.log(.info, "stopping: sources collect a last time, sinks deliver what waits", component: nil)
        stopSources()
    }

    /// Sources get half of the grace time at most, so that one that hangs leaves the sinks time to deliver.
    private func stopSources() {
        phase = .stoppingSources
        notifier?.stopping()
        mailbox?.close()
        roster.abandonTransition()
        let grace = grace()
        let now = clock.monotonicTime
        stopBegan = now
        health?.stop()
        let reserve = grace < Self.ampleGrace ? 0 : 2 * Self.cancelGrace.value
        deadline = now.advanced(by: Nanoseconds(grace.value - reserve))
        graceTimer.arm(at: now.advanced(by: Nanoseconds(grace.value / 2)))
        for source in roster.all(.source) { source.stop(.withAgent, by: deadline) }
        advance()
    }

    private func drainSinks() {
        phase = .drainingSinks
        pipeline.close()
        // The last collection is synced while sinks deliver.
        housekeeping?.hurry()
        graceTimer.arm(at: deadline)
        for sink in roster.all(.sink) { sink.stop(.withAgent, by: deadline) }
        advance()
    }

    /// Begins the next phase when all runners of this one have finished.
    private func advance() {
        switch phase {
        case .running:
            roster.proceed()
            // Every sink's output is closed: there is no work left.
            if roster.isDeserted(.sink) { stopSources() }
        case .stoppingSources:
            if roster.hasFinished(.source) { drainSinks() }
        case .drainingSinks:
            guard roster.hasFinished(.sink) else { return }
            if roster.hasFinished(.source) { return keepLog() }
            // Sources that are cancelled already get a moment to notice it; no others are waited for.
            guard pressure == .none else { return }
            pressure = .cancelled
            graceTimer.arm(at: clock.monotonicTime.advanced(by: Self.cancelGrace))
        case .keepingLog: return
        }
    }

    /// Has the log synced a last time, its losses reported, and everything else written.
    private func keepLog() {
        phase = .keepingLog
        guard !keepers.isEmpty else { return loop.stop() }
        let least = clock.monotonicTime.advanced(by: Self.cancelGrace)
        graceTimer.arm(at: max(deadline, least))
        for keeper in keepers { keeper.stop() }
    }

    private func graceIsOver() {
        switch phase {
        case .running: return
        case .stoppingSources:
            log.log(
                .warning, "sources take too long to stop: they are cancelled and sinks deliver meanwhile",
                component: nil)
            for source in roster.all(.source) { source.control.cancel.cancel() }
            drainSinks()
        case .drainingSinks:
            guard pressure == .none else { return endByForce() }
            pressure = .cancelled
            log.log(.warning, "the grace time is over: calls under way are cancelled", component: nil)
            for runner in roster.all(.source) + roster.all(.sink) { runner.control.cancel.cancel() }
            graceTimer.arm(at: clock.monotonicTime.advanced(by: Self.cancelGrace))
        case .keepingLog:
            log.log(
                .warning, "the disk takes too long: what waits may not survive a power cut", component: nil)
            abandon()
        }
    }

    /// Gives those that can be killed a moment to end, and abandons all others.
    private func endByForce() {
        guard pressure == .cancelled, roster.endUnfinished() else {
            end = .abandoned
            return keepLog()
        }
        pressure = .ended
        graceTimer.arm(at: clock.monotonicTime.advanced(by: Self.cancelGrace))
    }

    private func abandon() {
        end = .abandoned
        _ = roster.endUnfinished()
        loop.stop()
    }
}
