public import SondeDomain
internal import Synchronization

/// Keeps the agent and its child processes within `agent.limits` by having it collect less, and again more.
///
/// Called from one thread; ``status`` and ``failures`` may be read from any.
public final class KeepLimits: Sendable {
    /// How often what is used is looked at.
    public static let period = Nanoseconds.seconds(2)

    private struct State {
        var controller: LimitController
        var since: MonotonicInstant
        /// Since when something is saved at all, and how often the level changed since.
        var savingSince: MonotonicInstant?
        var changes: UInt64 = 0
        /// When a level that could not be put in force is tried again; nil: at once.
        var retry: MonotonicInstant?
    }

    private static let retryPause = Nanoseconds.seconds(30)

    private let limits: ResourceLimits
    private let limiter: ConfigurationLimiter
    private let usage: @Sendable () -> ResourceUsage
    private let apply: @Sendable (Int) throws(SondeError) -> Void
    private let clock: any Clock
    private let log: any EventLog
    private let state: Mutex<State>

    /// A use case that saves nothing yet.
    ///
    /// `apply` puts a level in force, which is that of `limiter` then, and returns when that was done.
    public init(
        _ limits: ResourceLimits,
        _ limiter: ConfigurationLimiter,
        usage: @escaping @Sendable () -> ResourceUsage,
        apply: @escaping @Sendable (Int) throws(SondeError) -> Void,
        clock: any Clock,
        log: any EventLog
    ) {
        self.limits = limits
        self.limiter = limiter
        self.usage = usage
        self.apply = apply
        self.clock = clock
        self.log = log
        state = Mutex(State(controller: LimitController(limits), since: clock.monotonicTime))
    }

    /// Looks at what is used and changes the level if that is due; returns when to look again.
    public func run() -> MonotonicInstant {
        let (usage, ladder) = (usage(), limiter.ladder)
        let change = state.withLock { $0.controller.observe(usage, ladder: ladder) }
        let isTooEarly = state.withLock { $0.retry.map { usage.instant < $0 } ?? false }
        if let change, !isTooEarly { carryOut(change) }
        return clock.monotonicTime.advanced(by: Self.period)
    }

    /// What is used and saved now.
    public var status: LimitStatus {
        let ladder = limiter.ladder
        return state.withLock { state in
            LimitStatus(
                limits: limits, level: state.controller.level, ladder: ladder, since: state.since,
                processors: state.controller.processors, memory: state.controller.memory)
        }
    }

    /// What is not collected, and whether that is not enough.
    public var failures: [InstanceStatus.Failure] {
        let (status, now) = (status, clock.monotonicTime)
        return state.withLock { state in
            var failures: [InstanceStatus.Failure] = []
            if let since = state.savingSince {
                var row = InstanceStatus.Failure(error: Self.saving(status), since: since, last: state.since)
                row.count = state.changes
                failures.append(row)
            }
            if let since = state.controller.beyondSavingSince, now.since(since) >= LimitController.tolerance {
                failures.append(.init(error: Self.exceeded(status), since: since, last: now))
            }
            return failures
        }
    }

    private func carryOut(_ change: LimitController.Change) {
        let before = limiter.level
        let cost = status.usage
        do throws(SondeError) {
            try apply(change.level)
        } catch {
            state.withLock { $0.retry = clock.monotonicTime.advanced(by: Self.retryPause) }
            // The agent stops: its level does not matter any more.
            if error.code != .reloadInterrupted { log.log(.warning, error) }
            return
        }
        let after = usage()
        state.withLock { state in
            state.controller.reach(change.level, after)
            state.retry = nil
            state.since = after.instant
            state.changes = change.level == 0 ? 0 : state.changes &+ 1
            state.savingSince = change.level == 0 ? nil : state.savingSince ?? after.instant
        }
        report(change, from: before, cost)
    }

    private func report(_ change: LimitController.Change, from before: Int, _ cost: String) {
        let status = status
        guard change.level > before else {
            let rest =
                status.steps.isEmpty ? "everything is collected again" : "still without \(Self.list(status.steps))"
            return log.log(
                .info, "within agent.limits (\(cost)): level \(change.level), \(rest)", component: nil)
        }
        log.log(.warning, Self.saving(status, cost))
    }

    private static func saving(_ status: LimitStatus, _ usage: String? = nil) -> SondeError {
        SondeError(
            .savingForLimits, stage: .collect, class: .resource,
            message:
                "to stay within agent.limits (\(usage ?? status.usage)) the agent does without \(list(status.steps)): "
                + "level \(status.level) of \(status.highestLevel)",
            recovery: [.advise("Nothing, if the load passes; otherwise raise agent.limits, or configure less.")])
    }

    private static func exceeded(_ status: LimitStatus) -> SondeError {
        SondeError(
            .limitExceeded, stage: .collect, class: .resource,
            message: "agent.limits are exceeded (\(status.usage)), and there is nothing left that the agent could save",
            recovery: [.advise("Raise agent.limits, or remove sources.")])
    }

    private static func list(_ steps: [SavingStep]) -> String { steps.map(\.subject).joined(separator: ", ") }
}
