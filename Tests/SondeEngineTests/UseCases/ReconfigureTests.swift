import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization
import Testing

@Suite struct ReconfigureTests {
    private final class ScriptedReader: ConfigurationReader {
        let results: Mutex<[ConfigurationReadResult]>
        let readings = Mutex<[String]>([])
        private let limiter: ConfigurationLimiter?

        init(_ results: [ConfigurationReadResult], _ limiter: ConfigurationLimiter? = nil) {
            self.results = Mutex(results)
            self.limiter = limiter
        }

        func read(inForce: CheckedConfiguration) -> ConfigurationReadResult { next("file") }

        func readAgain(inForce: CheckedConfiguration) -> ConfigurationReadResult {
            next("in force at \(limiter?.level ?? 0)")
        }

        private func next(_ what: String) -> ConfigurationReadResult {
            readings.withLock { $0.append(what) }
            return results.withLock { $0.removeFirst() }
        }
    }

    private final class RecordingCrew: ReconfigurableInstances {
        let changes = Mutex<[ConfigurationChange]>([])
        let retried = Mutex<[String]>([])
        let inForce = Mutex<[String]>([])
        let answers = Mutex<[Result<[String], SondeError>]>([])

        func carryOut(_ change: ConfigurationChange) throws(SondeError) -> [String] {
            changes.withLock { $0.append(change) }
            let answer = answers.withLock { $0.isEmpty ? .success([]) : $0.removeFirst() }
            return try answer.get()
        }

        func noteInForce(_ configuration: CheckedConfiguration) {
            inForce.withLock { $0.append(configuration.digest) }
        }

        func retryIfHeld(_ id: String) { retried.withLock { $0.append(id) } }
    }

    private let clock = ManualClock()
    private let log = RecordingLog()
    private let instances = RecordingCrew()

    private static func configuration(
        _ ids: String..., state: String? = nil, interval: Nanoseconds = .seconds(1)
    ) -> CheckedConfiguration {
        var agent = AgentSettings()
        agent.stateDirectory = state
        return CheckedConfiguration(
            AgentConfiguration(
                agent: agent, sources: [SourceConfiguration(id: "kernel", plugin: "procnet", interval: interval)],
                sinks: ids.map { SinkConfiguration(id: $0, plugin: "file") }),
            pluginFiles: [:])
    }

    private static var limiter: ConfigurationLimiter {
        ConfigurationLimiter(ResourceLimits(processors: 0.02)) { _, _ in nil }
    }

    private static let problem = ConfigurationProblem(
        ErrorCode("SND-CFG012"), at: SourceMark(file: "sonde.yaml", line: 3, column: 5), "unknown key 'x'")

    private func reconfigure(_ results: ConfigurationReadResult...) -> Reconfigure {
        Reconfigure(
            Self.configuration("a"), reader: ScriptedReader(results), instances: instances, clock: clock, log: log)
    }

    private func code(_ outcome: Reconfigure.Outcome) -> ErrorCode? {
        if case .failed(let error) = outcome { error.code } else { nil }
    }

    @Test func whatDiffersIsCarriedOutOnceAndIsInForceThen() {
        let next = Self.configuration("a", "b")
        let reconfigure = reconfigure(.usable(next, []), .usable(next, []))
        guard case .carriedOut(let report) = reconfigure() else {
            Issue.record("it failed")
            return
        }
        #expect(report.sinks.added == ["b"])
        #expect(report.summary == "added b; 2 as they were")
        _ = reconfigure()
        #expect(instances.changes.withLock { $0.count } == 1)
        #expect(reconfigure.failures.isEmpty)
    }

    @Test func aLevelOfSavingIsAppliedWithoutReadingAFile() throws {
        let saved = Self.configuration("a", interval: .seconds(4))
        let limiter = Self.limiter
        let reader = ScriptedReader(
            [.usable(saved, []), .usable(saved, []), .usable(Self.configuration("a"), [])], limiter)
        let reconfigure = Reconfigure(
            Self.configuration("a"), reader: reader, instances: instances, clock: clock, log: log)
        var told: [Set<String>] = []
        try reconfigure.adjust(limiter, to: 6) {
            // Before it ends.
            #expect(instances.changes.withLock { $0.isEmpty })
            told.append($0)
        }
        // Nothing differs any more.
        try reconfigure.adjust(limiter, to: 5) { told.append($0) }
        #expect(told == [["kernel"]])
        #expect(reader.readings.withLock { $0 } == ["in force at 6", "in force at 5"])
        #expect(limiter.level == 5)
        #expect(instances.changes.withLock { $0.map(\.sources.changed) } == [["kernel"]])
        // No other configuration is in force, and nobody asked for a reload.
        #expect(instances.inForce.withLock { $0 }.isEmpty)
        #expect(log.lines.isEmpty)
        _ = reconfigure()
        #expect(instances.changes.withLock { $0.count } == 2)
    }

    @Test func aLevelOfSavingThatCannotBeAppliedIsNoFailedReload() {
        let limiter = Self.limiter
        limiter.level = 1
        let reader = ScriptedReader([
            .usable(Self.configuration("a", "b"), []), .usable(Self.configuration("a", "b"), []),
        ])
        instances.answers.withLock { $0 = [.failure(SondeError(reload: .reloadInterrupted, "stopping"))] }
        let reconfigure = Reconfigure(
            Self.configuration("a"), reader: reader, instances: instances, clock: clock, log: log)
        #expect(throws: SondeError.self) { try reconfigure.adjust(limiter, to: 2) }
        #expect(limiter.level == 1)
        #expect(reconfigure.failures.isEmpty)
        // What was in force still is.
        #expect(throws: Never.self) { try reconfigure.adjust(limiter, to: 2) }
        #expect(limiter.level == 2)
        #expect(instances.changes.withLock { $0.map(\.sinks.added) } == [["b"], ["b"]])
    }

    @Test func aMistakeChangesNothingAndIsToldUntilAReloadSucceeds() {
        let reconfigure = reconfigure(
            .unusable([Self.problem, Self.problem]), .unusable([Self.problem]), .usable(Self.configuration("a"), []))
        #expect(code(reconfigure()) == .reloadRefused)
        clock.advance(by: .seconds(5))
        #expect(code(reconfigure()) == .reloadRefused)
        let failure = reconfigure.failures.first
        #expect(failure?.count == 2)
        #expect(failure?.last.since(failure?.since ?? clock.monotonicTime) == .seconds(5))
        #expect(failure?.error.message.contains("sonde.yaml:3:5: error[SND-CFG012]: unknown key 'x'") == true)
        #expect(instances.changes.withLock { $0.isEmpty })
        _ = reconfigure()
        #expect(reconfigure.failures.isEmpty)
    }

    @Test func aKeyThatNeedsARestartRefusesTheWhole() {
        let reconfigure = reconfigure(.usable(Self.configuration("b", state: "/new"), []))
        #expect(code(reconfigure()) == .reloadNeedsRestart)
        #expect(reconfigure.failures.first?.error.message.hasPrefix("agent.state_dir cannot change") == true)
        #expect(instances.changes.withLock { $0.isEmpty })
    }

    @Test func aChangeThatCouldNotBeCarriedOutIsTriedAgainFromTheOldConfiguration() {
        let next = Self.configuration("b")
        instances.answers.withLock { $0 = [.failure(.fake(.resource, code: "SND-RUN005"))] }
        let reconfigure = reconfigure(.usable(next, []), .usable(next, []))
        #expect(code(reconfigure()) == .systemCallFailed)
        #expect(reconfigure.failures.count == 1)
        _ = reconfigure()
        #expect(instances.changes.withLock { $0.map(\.sinks.removed) } == [["a"], ["a"]])
        #expect(reconfigure.failures.isEmpty)
    }

    @Test func whatIsHeldTriesAgainAlsoWhereNothingDiffers() {
        _ = reconfigure(.usable(Self.configuration("a"), []))()
        #expect(instances.retried.withLock { $0 } == ["kernel", "a"])
        #expect(instances.changes.withLock { $0.isEmpty })
    }

    @Test func aConfigurationInForceIsNotedAlsoWhereOnlyItsTextDiffers() {
        var next = Self.configuration("a")
        next.digest = "0011"
        let reconfigure = reconfigure(.usable(next, []), .unusable([Self.problem]))
        _ = reconfigure()
        #expect(instances.changes.withLock { $0.isEmpty })
        #expect(instances.inForce.withLock { $0 } == ["0011"])
        _ = reconfigure()
        #expect(instances.inForce.withLock { $0.count } == 1)
    }

    @Test func whatHasChangedIsNotAskedToTryAgainNorIsAnythingAfterAFailure() {
        let reconfigure = reconfigure(.unusable([Self.problem]), .usable(Self.configuration("b"), []))
        _ = reconfigure()
        #expect(instances.retried.withLock { $0.isEmpty })
        _ = reconfigure()
        #expect(instances.retried.withLock { $0 } == ["kernel"])
    }

    @Test func whoHangsIsNamed() {
        instances.answers.withLock { $0 = [.success(["a"])] }
        guard case .carriedOut(let report) = reconfigure(.usable(Self.configuration("b"), []))() else {
            Issue.record("it failed")
            return
        }
        #expect(report.waiting == ["a"])
        #expect(log.lines(.warning).contains { $0.component == "a" })
    }

    @Test func ofManyProblemsSomeAreToldAndTheRestCounted() {
        _ = reconfigure(.unusable([ConfigurationProblem](repeating: Self.problem, count: 1_000)))()
        #expect(log.lines(.error).count == 22)
        #expect(log.lines(.error).contains { $0.message.contains("980 more") })
    }
}

@Suite struct ReconfigureRequestsTests {
    private static let failed = Reconfigure.Outcome.failed(SondeError(reload: .reloadInterrupted, "x"))

    @Test func wishesThatComeWhileAReloadGoesOnBecomeOneMore() {
        let wakeup = RecordingWakeup()
        let requests = ReconfigureRequests(wakeup: wakeup)
        #expect(requests.take() == nil)
        let first = requests.make()
        #expect(requests.take() == first)
        let later = (0..<10).map { _ in requests.make() }
        #expect(requests.outcome(of: first) == nil)
        requests.end(first, Self.failed)
        #expect(requests.outcome(of: first) != nil)
        #expect(later.allSatisfy { requests.outcome(of: $0) == nil })
        #expect(requests.isWaiting)
        let last = requests.take()
        #expect(last == later.last)
        #expect(requests.take() == nil)
        requests.end(last ?? 0, Self.failed)
        #expect(later.allSatisfy { requests.outcome(of: $0) != nil })
        #expect(wakeup.instants.count == 11)
    }
}
