public import SondeDomain
internal import Synchronization

/// Takes another configuration while the agent runs: reads and checks it whole, compares it with the one in force, and
/// changes what differs.
///
/// On any error the old configuration stays in force in every part; the failure lasts until a reload succeeds.
/// May be called from any thread; a call waits for the one before it.
public final class Reconfigure: Sendable {
    /// The result of a reload.
    public enum Outcome: Sendable {
        /// The new configuration is in force.
        case carriedOut(Report)
        /// Everything is as it was.
        case failed(SondeError)
    }

    /// What a reload has changed.
    public struct Report: Hashable, Sendable {
        /// The sources.
        public let sources: ConfigurationChange.Instances
        /// The sinks.
        public let sinks: ConfigurationChange.Instances
        /// Keys of `agent:`.
        public let agentKeys: [String]
        /// Instances that hang in a call, whose successors wait for them.
        public let waiting: [String]
    }

    // A file of another format can have one problem per line.
    private static let shownProblems = 20

    private let reader: any ConfigurationReader
    private let instances: any ReconfigurableInstances
    private let clock: any Clock
    private let log: any EventLog
    private let inForce: Mutex<CheckedConfiguration>
    private let failure = Mutex<InstanceStatus.Failure?>(nil)
    // One at a time: a reload, or a level of saving.
    private let turn = Mutex<Void>(())

    /// A use case for an agent that runs with `configuration`.
    public init(
        _ configuration: CheckedConfiguration,
        reader: any ConfigurationReader,
        instances: any ReconfigurableInstances,
        clock: any Clock,
        log: any EventLog
    ) {
        inForce = Mutex(configuration)
        self.reader = reader
        self.instances = instances
        self.clock = clock
        self.log = log
    }

    /// Why the last reload changed nothing; empty when it succeeded, or there was none.
    public var failures: [InstanceStatus.Failure] {
        failure.withLock { $0.map { [$0] } ?? [] }
    }

    /// Reloads.
    public func callAsFunction() -> Outcome {
        turn.withLock { _ in reload() }
    }

    /// Applies the configuration that was read last once more, at a level of saving; the level of `limiter` is that one if it succeeds.
    ///
    /// `restarting` is called with the sources and sinks that it concerns, before they end.
    public func adjust(
        _ limiter: ConfigurationLimiter, to level: Int, _ restarting: (Set<String>) -> Void = { _ in }
    ) throws(SondeError) {
        let result = turn.withLock { _ in
            // Not before its turn: a reload that runs meanwhile is read at the level in force.
            let before = limiter.level
            limiter.level = level
            let result = adjusted(restarting)
            if case .failure = result { limiter.level = before }
            return result
        }
        try result.get()
    }

    private func adjusted(_ restarting: (Set<String>) -> Void) -> Result<Void, SondeError> {
        do throws(SondeError) {
            let current = inForce.withLock { $0 }
            let change = ConfigurationChange(from: current, to: try use(reader.readAgain(inForce: current)))
            guard !change.isEmpty else { return .success(()) }
            restarting(change.coming)
            _ = try instances.carryOut(change)
            inForce.withLock { $0 = change.next }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func reload() -> Outcome {
        log.log(.info, "reading the configuration again", component: nil)
        do throws(SondeError) {
            let current = inForce.withLock { $0 }
            let change = ConfigurationChange(from: current, to: try use(reader.read(inForce: current)))
            guard change.fixedKeys.isEmpty else { throw Self.needsRestart(change.fixedKeys) }
            let waiting = change.isEmpty ? [] : try instances.carryOut(change)
            inForce.withLock { $0 = change.next }
            instances.noteInForce(change.next)
            let report = Report(change, waiting)
            succeed(report)
            return .carriedOut(report)
        } catch {
            fail(error)
            return .failed(error)
        }
    }

    private func use(_ result: ConfigurationReadResult) throws(SondeError) -> CheckedConfiguration {
        switch result {
        case .usable(let configuration, let warnings):
            report(warnings)
            return configuration
        case .unusable(let problems):
            report(problems)
            throw Self.refused(problems)
        }
    }

    private func report(_ problems: [ConfigurationProblem]) {
        for problem in problems.prefix(Self.shownProblems) {
            let level: LogLevel = problem.severity == .error ? .error : .warning
            log.log(level, problem.line, component: nil)
        }
        guard problems.count > Self.shownProblems else { return }
        log.log(.error, "and \(problems.count - Self.shownProblems) more problems: see 'sonde check'", component: nil)
    }

    private func succeed(_ report: Report) {
        failure.withLock { $0 = nil }
        log.log(.info, "the configuration was read again: \(report.summary)", component: nil)
        for id in report.waiting {
            log.log(
                .warning, "a call into this plugin hangs: what was reloaded begins when it returns", component: id)
        }
        // A reload may fix what an instance is held for: it need not wait for its next probe.
        for id in report.sources.kept + report.sinks.kept { instances.retryIfHeld(id) }
    }

    private func fail(_ error: SondeError) {
        let now = clock.monotonicTime
        failure.withLock { row in
            guard var known = row else {
                row = InstanceStatus.Failure(error: error, since: now, last: now)
                return
            }
            known.error = error
            known.last = now
            known.count &+= 1
            row = known
        }
        log.log(.error, error)
    }

    private static func refused(_ problems: [ConfigurationProblem]) -> SondeError {
        let errors = problems.filter { $0.severity == .error }
        let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
        let what = errors.first?.line ?? "the configuration cannot be used"
        return SondeError(reload: .reloadRefused, "\(what)\(more); the configuration in force stays as it was")
    }

    private static func needsRestart(_ keys: [String]) -> SondeError {
        let names = keys.map { "agent.\($0)" }.joined(separator: ", ")
        return SondeError(
            reload: .reloadNeedsRestart,
            "\(names) cannot change while the agent runs; nothing of the new configuration is in force")
    }
}

extension ConfigurationProblem {
    /// The problem as one line with its place: `sonde.yaml:12:5: error[SND-CFG012]: unknown key 'intervall'`.
    fileprivate var line: String {
        let place = "\(mark.file):\(mark.line):\(mark.column)"
        return "\(place): \(severity.rawValue)[\(code.text)]: \(message)\(suggestion.map { "; \($0)" } ?? "")"
    }
}

extension Reconfigure.Report {
    init(_ change: ConfigurationChange, _ waiting: [String]) {
        self.init(sources: change.sources, sinks: change.sinks, agentKeys: change.liveKeys, waiting: waiting)
    }

    /// `added dns; changed central; 2 as they were`.
    public var summary: String {
        let parts = [
            ("added", sources.added + sinks.added), ("changed", sources.changed + sinks.changed),
            ("removed", sources.removed + sinks.removed), ("changed", agentKeys.map { "agent.\($0)" }),
        ]
        let told = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
        return (told + ["\(sources.kept.count + sinks.kept.count) as they were"]).joined(separator: "; ")
    }
}

extension SondeError {
    /// A reload that changed nothing, with class and recovery of its definition.
    public init(reload code: ErrorCode, _ message: String) {
        self.init(defined: code, stage: .configuration, message)
    }
}
