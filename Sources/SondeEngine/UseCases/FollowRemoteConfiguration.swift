public import SondeDomain
internal import Synchronization

/// Follows the remote configuration: asks for it, has it checked, puts it in force on probation, and takes it back when it breaks
/// something.
///
/// One thread calls ``step()``; ``status`` and ``failures`` may be read from any.
public final class FollowRemoteConfiguration: Sendable {
    /// Its inputs and outputs.
    public struct Dependencies: Sendable {
        /// What is kept.
        public var configuration: RemoteConfiguration
        /// The server.
        public var source: any RemoteSource
        /// What checks a layer.
        public var check: any RemoteCheck
        /// The status of sources and sinks.
        public var instances: @Sendable () -> [InstanceStatus]
        /// Reads the configuration again, and returns when the reload has ended.
        public var reload: @Sendable () -> Reconfigure.Outcome

        /// All inputs and outputs.
        public init(
            configuration: RemoteConfiguration,
            source: any RemoteSource,
            check: any RemoteCheck,
            instances: @escaping @Sendable () -> [InstanceStatus],
            reload: @escaping @Sendable () -> Reconfigure.Outcome
        ) {
            self.configuration = configuration
            self.source = source
            self.check = check
            self.instances = instances
            self.reload = reload
        }
    }

    /// How often instances are looked at during a probation.
    static let look = Nanoseconds.seconds(1)
    /// A failure of this age has not gone by itself.
    static let patience = Nanoseconds.seconds(5)
    /// The first request after a start comes within this span.
    static let firstSpan = Nanoseconds.seconds(30)

    private struct Work {
        var nextRequest: MonotonicInstant
        var hasAsked = false
        /// Requests in a row that the server did not answer.
        var unanswered = 0
        var lastAnswer: MonotonicInstant?
        var requests = RemoteStatus.Requests()
        /// What was last said of a file that was not put in force.
        var refusal: InstanceStatus.Failure?
        var outage: InstanceStatus.Failure?
        /// How much of the probation is over, and when it was last looked at.
        var passed = Nanoseconds.zero
        var looked: MonotonicInstant?
        var waitsFor: [String] = []
        /// What worked with the one on probation until a level of saving restarted it.
        var excused: Set<String> = []
        /// When the reload that takes a layer back is tried again; nil: it has succeeded.
        var retryReload: MonotonicInstant?
    }

    private let agent: String
    private let on: Dependencies
    private let settings: RemoteSettings
    private let backoff: Backoff
    private let clock: any Clock
    private let log: any EventLog
    private let started: MonotonicInstant
    private let work: Mutex<Work>

    /// A use case of an agent with this id that starts now.
    public init(agent: String, on dependencies: Dependencies, clock: any Clock, log: any EventLog) {
        self.agent = agent
        on = dependencies
        settings = dependencies.configuration.settings
        backoff = Backoff(base: min(.seconds(5), settings.interval), cap: settings.interval)
        self.clock = clock
        self.log = log
        started = clock.monotonicTime
        let first = HostSplay.delay(agent: agent, sink: "remote", within: min(settings.interval, Self.firstSpan))
        work = Mutex(Work(nextRequest: started.advanced(by: first)))
    }

    /// What is reported.
    public var status: RemoteStatus {
        let configuration = on.configuration
        let work = work.withLock { $0 }
        let url = String((settings.url ?? "").prefix { $0 != "?" && $0 != "#" })
        var status = RemoteStatus(url: url, configuration.state, isIgnored: configuration.use == .none)
        if status.state == .probation {
            status.probationLeft = max(.zero, Nanoseconds(settings.probation.value - work.passed.value))
            status.waitsFor = work.waitsFor
        }
        status.lastAnswer = work.lastAnswer
        status.nextRequest = work.nextRequest
        status.requests = work.requests
        return status
    }

    /// What is broken now.
    public var failures: [InstanceStatus.Failure] {
        let configuration = on.configuration
        let work = work.withLock { $0 }
        var failures = [work.outage, work.refusal].compactMap { $0 }
        func add(_ error: SondeError?) {
            if let error { failures.append(InstanceStatus.Failure(error: error, since: started, last: started)) }
        }
        add(configuration.failure)
        let state = configuration.state
        // A refusal of this run has its own time.
        if work.refusal == nil { add(state.failed.map { SondeError(rolledBack: $0, to: state.good) }) }
        if configuration.use == .none { add(SondeError(remote: .remoteIgnored, Self.ignored)) }
        return failures
    }

    /// A level of saving restarts these now: what fails of those that work is not what the one on probation brought.
    ///
    /// May be called from any thread.
    public func excuse(_ ids: Set<String>) {
        let working = Set(on.instances().filter(\.works).map(\.id))
        work.withLock { $0.excused.formUnion(ids.intersection(working)) }
    }

    /// Does what is due; returns when something is due again.
    public func step() -> MonotonicInstant {
        retryReload()
        if on.configuration.use != .none, on.configuration.state.probation != nil { look() }
        if clock.monotonicTime >= work.withLock({ $0.nextRequest }) { ask() }
        let (request, reload) = work.withLock { ($0.nextRequest, $0.retryReload ?? .distantFuture) }
        let isOnProbation = on.configuration.use != .none && on.configuration.state.probation != nil
        return min(request, reload, isOnProbation ? clock.monotonicTime.advanced(by: Self.look) : .distantFuture)
    }
}

// What the server says.
extension FollowRemoteConfiguration {
    private static let ignored =
        "the kept remote configuration does not fit the files of this host, and the agent has started without it"

    private func ask() {
        let answer = on.source.fetch(etag: on.configuration.state.etag)
        switch answer {
        case .unchanged:
            note(answered: true) { $0.requests.unchanged &+= 1 }
            forgetRefusal()
        case .file(let layer):
            note(answered: true) { _ in }
            consider(layer)
        case .failed(let error):
            let isOutage = error.failureClass.endsByItself || error.failureClass.needsPerson
            note(answered: !isOutage) { $0.requests.failed &+= 1 }
            if isOutage { fail(error, \.outage) } else { fail(error, \.refusal) }
        }
        plan(answer)
    }

    private func note(answered: Bool, _ count: (inout Work) -> Void) {
        let now = clock.monotonicTime
        let wasOut = work.withLock { work in
            count(&work)
            guard answered else {
                work.unanswered += 1
                return false
            }
            work.lastAnswer = now
            work.unanswered = 0
            defer { work.outage = nil }
            return work.outage != nil
        }
        if wasOut { log.log(.info, "the remote configuration can be asked for again", component: nil) }
    }

    /// The second request comes half an interval to one and a half after the first: hosts that start together do not ask together.
    private func plan(_ answer: RemoteAnswer) {
        let now = clock.monotonicTime
        var random = SystemRandomNumberGenerator()
        work.withLock { work in
            defer { work.hasAsked = true }
            if case .failed(let error) = answer, work.unanswered > 0 {
                let wait = backoff.delay(failures: work.unanswered, retryAfter: error.retryAfter, using: &random)
                work.nextRequest = now.advanced(by: wait)
            } else if work.hasAsked {
                work.nextRequest = now.advanced(by: settings.interval)
            } else {
                work.nextRequest = now.advanced(
                    by: HostSplay.collectionPhase(agent: agent, interval: settings.interval))
            }
        }
    }

    private func consider(_ layer: RemoteLayer) {
        let state = on.configuration.state
        if layer.text == state.inForce?.text {
            work.withLock { $0.requests.unchanged &+= 1 }
            // The server has taken back what was taken back here.
            return settle(layer)
        }
        guard layer.serial != state.failed?.serial else {
            // It is known, and so is its failure.
            return work.withLock { $0.requests.unchanged &+= 1 }
        }
        guard layer.serial > state.newest else {
            return refuse(
                SondeError(
                    remote: .remoteOld,
                    "the server has remote configuration \(layer.serial), and \(state.newest) was in force already"))
        }
        switch on.check.check(layer) {
        case .valid: apply(layer)
        case .unknown(let reason): refuse(SondeError(remote: .remoteProgramMissing, reason))
        case .invalid(let reason):
            // Errors that are there without it are not its own.
            guard case .invalid(let local) = on.check.check(on.configuration.use == .none ? nil : state.inForce) else {
                return refuse(SondeError(remote: .remoteRefused, "remote configuration \(layer.serial): \(reason)"))
            }
            refuse(
                SondeError(remote: .remoteWaits, "remote configuration \(layer.serial) waits for this host: \(local)"))
        }
    }

    /// The server has the version that is known: what it had meanwhile is over, unless that version was taken back.
    private func forgetRefusal() {
        let hasFailed = on.configuration.state.failed != nil
        work.withLock { work in
            if !hasFailed || work.refusal?.error.code != .remoteRolledBack { work.refusal = nil }
        }
    }

    private func settle(_ layer: RemoteLayer) {
        on.configuration.changeAnyway { state in
            state.failed = nil
            if state.probation == nil {
                state.good?.etag = layer.etag
            } else {
                state.probation?.layer.etag = layer.etag
            }
        }
        work.withLock { $0.refusal = nil }
    }

    private func refuse(_ error: SondeError) {
        work.withLock { $0.requests.refused &+= 1 }
        fail(error, \.refusal)
    }

    /// Logs a failure once, and keeps it until it is over.
    private func fail(_ error: SondeError, _ row: any WritableKeyPath<Work, InstanceStatus.Failure?> & Sendable) {
        let now = clock.monotonicTime
        let isNew = work.withLock { work in
            guard var known = work[keyPath: row], known.error.message == error.message else {
                work[keyPath: row] = InstanceStatus.Failure(error: error, since: now, last: now)
                return true
            }
            known.error = error
            known.last = now
            known.count &+= 1
            work[keyPath: row] = known
            return false
        }
        if isNew { log.log(error.failureClass.endsByItself ? .warning : .error, error) }
    }
}

// What is put in force, and taken back.
extension FollowRemoteConfiguration {
    private func apply(_ layer: RemoteLayer) {
        let configuration = on.configuration
        let (before, use) = (configuration.state, configuration.use)
        let failing = RemoteVerdict.failing(on.instances())
        do throws(SondeError) {
            try configuration.change { $0.begin(layer, failing: failing) }
        } catch {
            return refuse(error)
        }
        configuration.use(.inForce)
        log.log(.info, "remote configuration \(layer.serial) is put in force", component: nil)
        work.withLock { ($0.passed, $0.looked, $0.waitsFor) = (.zero, nil, []) }
        switch on.reload() {
        case .carriedOut(let report):
            let reach = RemoteState.Probation.Reach(report)
            let whole = before.probation.map { $0.reach.union(reach) } ?? reach
            configuration.changeAnyway { $0.probation?.reach = whole }
            work.withLock { work in
                work.requests.new &+= 1
                // What it has changed did not work with it before.
                work.excused = work.excused.filter { !reach.contains($0) }
                work.refusal = nil
                work.retryReload = nil
            }
            let span = DurationText.text(of: settings.probation)
            log.log(.info, "remote configuration \(layer.serial) is on probation for \(span)", component: nil)
        case .failed(let error) where error.code == .reloadInterrupted:
            // The agent is stopping: the next start goes on.
            return
        case .failed(let error):
            configuration.use(use)
            configuration.changeAnyway { state in
                state.probation = before.probation
                // For a lack of memory it is not at fault: it comes again.
                guard error.failureClass.isBroughtByConfiguring else {
                    (state.newest, state.failed) = (before.newest, before.failed)
                    return
                }
                state.failed = .init(layer, because: error.message)
            }
            refuse(SondeError(remote: .remoteRefused, "remote configuration \(layer.serial): \(error.message)"))
        }
    }

    private func look() {
        guard let probation = on.configuration.state.probation else { return }
        let now = clock.monotonicTime
        let verdict = RemoteVerdict(probation, on.instances(), excused: work.withLock { $0.excused })
        let passed = work.withLock { work in
            // A machine that was suspended has proved nothing meanwhile.
            let span = work.looked.map { min(now.since($0), Self.look * 2) } ?? .zero
            work.looked = now
            work.waitsFor = []
            switch verdict {
            case .works: work.passed = work.passed + span
            case .unproven(let ids): work.waitsFor = ids
            case .broken: break
            }
            return work.passed
        }
        if case .broken(let error, let since) = verdict, now.since(since) >= Self.patience {
            return takeBack(because: "\(error.component ?? "agent"): \(error.code): \(error.message)")
        }
        guard case .works = verdict, passed >= settings.probation else { return }
        on.configuration.changeAnyway { $0.succeed() }
        log.log(.info, "remote configuration \(probation.layer.serial) has proved itself", component: nil)
    }

    private func takeBack(because reason: String) {
        on.configuration.changeAnyway { $0.takeBack(because: reason) }
        let state = on.configuration.state
        if let failed = state.failed { refuse(SondeError(rolledBack: failed, to: state.good)) }
        work.withLock { $0.retryReload = clock.monotonicTime }
        retryReload()
    }

    private func retryReload() {
        guard let due = work.withLock({ $0.retryReload }), clock.monotonicTime >= due else { return }
        let outcome = on.reload()
        let next = clock.monotonicTime.advanced(by: .seconds(10))
        work.withLock { work in
            if case .carriedOut = outcome { work.retryReload = nil } else { work.retryReload = next }
        }
    }
}
