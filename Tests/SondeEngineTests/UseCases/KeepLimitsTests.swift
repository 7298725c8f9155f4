import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

/// How the agent is brought to save, and what is said of it.
@Suite struct KeepLimitsTests {
    /// Usage as a test sets it, and what was put in force.
    private final class Agent: Sendable {
        let state = Mutex((share: 0.0, memory: UInt64(1 << 20), seconds: 0.0, last: Int64?.none))
        let levels = Mutex<[Int]>([])
        let failure = Mutex<SondeError?>(nil)
    }

    private static let source = PluginDescriptor(
        name: "p", kind: .source, version: "1", summary: "",
        options: [OptionDefinition("top", .integer(0...9), default: "5", help: "", saving: .init(.names, "0"))])

    private let agent = Agent()
    private let clock = ManualClock()
    private let log = RecordingLog()
    private let limiter: ConfigurationLimiter
    private let keep: KeepLimits

    init() {
        let limits = ResourceLimits(processors: 0.02, memory: 64 << 20)
        let limiter = ConfigurationLimiter(limits) { text, _ in Int64(text).map { .integer($0) } }
        let configuration = AgentConfiguration(
            sources: [
                SourceConfiguration(
                    id: "s", plugin: "p", interval: .seconds(10), options: OptionValues(["top": .integer(5)]))
            ])
        limiter.noteInForce(configuration) { _ in Self.source }
        self.limiter = limiter
        let (agent, clock) = (agent, clock)
        keep = KeepLimits(
            limits, limiter,
            usage: {
                agent.state.withLock { state in
                    let now = clock.monotonicTime
                    if let last = state.last { state.seconds += state.share * Double(now.nanoseconds - last) / 1e9 }
                    state.last = now.nanoseconds
                    return ResourceUsage(at: now, processorSeconds: state.seconds, memory: state.memory)
                }
            },
            apply: { (level) throws(SondeError) in
                // Reloads that run meanwhile are read at the level in force.
                #expect(limiter.level == agent.levels.withLock { $0.last ?? 0 })
                if let failure = agent.failure.withLock({ $0 }) { throw failure }
                limiter.level = level
                agent.levels.withLock { $0.append(level) }
            },
            clock: clock, log: log)
    }

    private func run(_ seconds: Int64, _ share: Double) {
        agent.state.withLock { $0.share = share }
        for _ in 0..<(seconds / 2) {
            let next = keep.run()
            #expect(next == clock.monotonicTime.advanced(by: KeepLimits.period))
            clock.advance(by: KeepLimits.period)
        }
    }

    @Test func withinTheLimitsNothingIsSaid() {
        run(120, 0.005)
        #expect(agent.levels.withLock { $0 }.isEmpty)
        #expect(keep.failures.isEmpty)
        #expect(log.lines.isEmpty)
        #expect(keep.status.level == 0)
        #expect(keep.status.steps.isEmpty)
        #expect(keep.status.processors.map { abs($0 - 0.005) < 0.001 } ?? false)
    }

    @Test func eachStepIsInTheLogInTheFailuresAndInTheStatus() throws {
        run(30, 0.021)
        #expect(agent.levels.withLock { $0.first } == 1)
        let failure = try #require(keep.failures.first)
        #expect(failure.error.code == .savingForLimits)
        #expect(failure.error.failureClass == .resource)
        #expect(failure.error.message.contains("names and clients"))
        #expect(failure.ended == nil)
        #expect(log.lines.contains { $0.error?.code == .savingForLimits && $0.message.contains("cpu ") })
        #expect(keep.status.steps.first == .names)
        #expect(keep.status.highestLevel == 6)
    }

    @Test func whenItPassesEverythingIsCollectedAgain() {
        run(14, 0.021)
        #expect(agent.levels.withLock { $0 } == [1])
        run(60, 0.001)
        #expect(agent.levels.withLock { $0 } == [1, 0])
        #expect(keep.failures.isEmpty)
        #expect(log.lines.last.map { $0.message.contains("everything is collected again") } ?? false)
    }

    @Test func anExcessThatNothingHelpsAgainstIsAFailureOfItsOwn() {
        run(30, 0.5)
        #expect(limiter.level == 6)
        #expect(!keep.failures.contains { $0.error.code == .limitExceeded })
        run(40, 0.5)
        #expect(keep.failures.map(\.error.code) == [.savingForLimits, .limitExceeded])
        run(20, 0.001)
        #expect(keep.failures.map(\.error.code) == [.savingForLimits])
    }

    @Test func aLevelThatCannotBePutInForceIsNotAndIsTriedAgainLater() {
        agent.failure.withLock { $0 = SondeError(reload: .reloadRefused, "no") }
        run(30, 0.5)
        #expect(limiter.level == 0)
        #expect(keep.status.level == 0)
        #expect(keep.failures.isEmpty)
        #expect(log.lines.filter { $0.error?.code == .reloadRefused }.count == 1)
        agent.failure.withLock { $0 = nil }
        run(30, 0.5)
        #expect(limiter.level > 0)
    }

    @Test func whileTheAgentStopsNothingIsSaid() {
        agent.failure.withLock { $0 = SondeError(reload: .reloadInterrupted, "stopping") }
        run(10, 0.5)
        #expect(log.lines.isEmpty)
    }
}
