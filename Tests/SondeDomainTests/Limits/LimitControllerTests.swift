import Testing

@testable import SondeDomain

/// When the agent saves, how much, and when it does not any more.
@Suite struct LimitControllerTests {
    /// An agent whose usage is what a test says, looked at every two seconds.
    private struct Agent {
        static let ladder = [1, 2, 3, 4, 5, 6]
        var controller: LimitController
        var ladder = Agent.ladder
        var now = MonotonicInstant(nanoseconds: 1_000_000_000)
        var seconds = 3.0
        /// The seconds since the beginning, and the levels gone to.
        var changes: [(at: Int64, level: Int, cause: LimitController.Cause?)] = []

        init(cpu: Double? = 0.02, memory: UInt64? = nil) {
            controller = LimitController(ResourceLimits(processors: cpu, memory: memory))
        }

        var levels: [Int] { changes.map(\.level) }

        /// Looks for so long at a share of a processor and a size of memory that may depend on the level.
        mutating func run(
            _ span: Int64, cpu: (Int) -> Double? = { _ in 0.001 }, memory: (Int) -> UInt64? = { _ in 1 }
        ) {
            for _ in 0..<(span / 2) {
                now = now.advanced(by: .seconds(2))
                let share = cpu(controller.level)
                seconds += 2 * (share ?? 0)
                let usage = ResourceUsage(
                    at: now, processorSeconds: share == nil ? nil : seconds, memory: memory(controller.level))
                guard let change = controller.observe(usage, ladder: ladder) else { continue }
                changes.append((now.nanoseconds / 1_000_000_000 - 1, change.level, change.cause))
                controller.reach(change.level, usage)
            }
        }
    }

    @Test func belowTheLimitsNothingIsSaved() {
        var agent = Agent(memory: 100)
        agent.run(600, cpu: { _ in 0.0155 }, memory: { _ in 79 })
        #expect(agent.levels.isEmpty)
    }

    @Test func aFloodThatEachStepHalvesIsWithinTheLimitAfterHalfAMinute() {
        var agent = Agent()
        agent.run(30) { level in 0.16 / Double(1 << level) }
        #expect(agent.changes.allSatisfy { $0.cause == .cpu })
        // A quarter and an eighth of it are still too much.
        #expect(agent.controller.level >= 4, "\(agent.changes)")
        let taken = agent.levels.count
        agent.run(10) { level in 0.16 / Double(1 << level) }
        #expect(agent.levels.count == taken)
        #expect(agent.controller.processors.map { $0 <= 0.02 } ?? false)
    }

    @Test func aFloodThatNothingHelpsAgainstReachesTheLastLevelWithinHalfAMinuteAndIsReported() {
        var agent = Agent()
        agent.run(30) { _ in 1 }
        #expect(agent.levels == [3, 6])
        #expect(agent.controller.beyondSavingSince == nil || agent.controller.level == 6)
        agent.run(10) { _ in 1 }
        #expect(agent.controller.beyondSavingSince != nil)
        agent.run(20)
        #expect(agent.controller.beyondSavingSince == nil)
    }

    @Test func alittleTooMuchTakesOneStepAtATime() {
        var agent = Agent()
        agent.run(60) { $0 < 3 ? 0.021 : 0.015 }
        #expect(agent.levels == [1, 2, 3])
    }

    @Test func halfAsMuchAgainTakesTwo() {
        var agent = Agent()
        agent.run(60) { $0 < 3 ? 0.04 : 0.015 }
        #expect(agent.levels == [2, 4])
    }

    @Test func memoryIsALimitOfItsOwn() {
        var agent = Agent(cpu: nil, memory: 64 << 20)
        agent.run(60, memory: { $0 < 2 ? 70 << 20 : 30 << 20 })
        #expect(agent.levels.first == 1)
        #expect(agent.changes.first?.cause == .memory)
        #expect(agent.levels.contains(2))
    }

    @Test func levelsThatMakeNoDifferenceAreSkipped() {
        var agent = Agent()
        agent.ladder = [1, 5, 6]
        agent.run(60) { $0 < 6 ? 0.021 : 0.015 }
        #expect(agent.levels == [1, 5, 6])
        agent.run(200)
        #expect(agent.levels == [1, 5, 6, 5, 1, 0])
    }

    @Test func withoutALadderAnExcessIsReportedAndNothingElse() {
        var agent = Agent()
        agent.ladder = []
        agent.run(60) { _ in 1 }
        #expect(agent.levels.isEmpty)
        #expect(agent.controller.beyondSavingSince != nil)
    }

    @Test func levelsAreTakenBackOneByOneOnceItWasCalmForAWhile() {
        var agent = Agent()
        agent.run(30) { _ in 1 }
        let flood = agent.now
        agent.run(240)
        #expect(agent.levels.suffix(6) == [5, 4, 3, 2, 1, 0])
        let back = agent.changes.suffix(6)
        #expect(back.allSatisfy { $0.cause == nil })
        // Averaged over ten seconds, and calm for twenty.
        #expect(back.first.map { $0.at - (flood.nanoseconds / 1_000_000_000 - 1) >= 20 } ?? false)
        #expect(zip(back, back.dropFirst()).allSatisfy { $1.at - $0.at >= 30 })
    }

    @Test func aLevelThatIsNeededAgainAtOnceIsTakenBackLaterEachTime() {
        var agent = Agent()
        // Calm with a step, too much without.
        agent.run(600) { $0 == 0 ? 0.021 : 0.005 }
        let taken = agent.changes.filter { $0.level == 0 }.map(\.at)
        let waits = zip(taken, taken.dropFirst()).map { $1 - $0 }
        #expect(waits.count >= 3)
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 > $0 }, "\(waits)")
    }

    /// How long each first level lasted.
    private func waits(_ agent: Agent) -> [Int64] {
        zip(agent.changes, agent.changes.dropFirst()).filter { $1.level == 0 }.map { $1.at - $0.at }
    }

    @Test func aLevelThatWasNotNeededForLongIsTakenBackAsSoonAsAtFirst() throws {
        var agent = Agent()
        agent.run(600) { $0 == 0 ? 0.021 : 0.005 }
        let first = try #require(waits(agent).first)
        #expect(waits(agent).last.map { $0 > 3 * first } ?? false)
        agent.run(3_000)
        agent.changes = []
        agent.run(60) { $0 == 0 ? 0.021 : 0.005 }
        #expect(waits(agent) == [first])
    }

    @Test func betweenCalmAndFullTheLevelStays() {
        var agent = Agent()
        agent.run(20) { $0 < 1 ? 0.021 : 0.014 }
        agent.run(600) { _ in 0.014 }
        #expect(agent.levels == [1])
    }

    @Test func whatIsNotKnownNeitherTakesALevelNorTakesOneBack() {
        var agent = Agent(memory: 100)
        agent.run(100, cpu: { _ in nil }, memory: { _ in nil })
        #expect(agent.levels.isEmpty)
        #expect(agent.controller.processors == nil)
        agent.run(20, cpu: { $0 < 1 ? 0.021 : 0.014 })
        #expect(agent.levels == [1])
        // Memory alone is no proof of calm.
        agent.run(200, cpu: { _ in nil })
        #expect(agent.levels == [1])
        // Nor is processor time.
        agent.run(200, memory: { _ in nil })
        #expect(agent.levels == [1])
        agent.run(60)
        #expect(agent.levels == [1, 0])
    }

    @Test func aShortBurstIsNoFlood() {
        var agent = Agent()
        for _ in 0..<20 {
            agent.run(2) { _ in 0.07 }
            agent.run(58)
        }
        #expect(agent.levels.isEmpty)
    }

    @Test func timeThatRunsBackwardsIsNoUse() {
        var agent = Agent()
        agent.run(10)
        agent.seconds = 0
        agent.run(30)
        #expect(agent.levels.isEmpty)
        #expect(agent.controller.processors.map { $0 >= 0 } ?? false)
    }

    @Test func stepsAreInTheOrderOfTheirLevels() {
        #expect(SavingStep.allCases.map(\.level) == [1, 2, 3, 4, 5, 6])
        #expect(Set(SavingStep.allCases.map(\.subject)).count == 6)
    }
}
