import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

/// The phase of a host's grid after its first collection.
@Suite struct CollectSourcePhaseTests {
    @Test(arguments: [Int64(500), 600, 999, 1_000, 1_001, 1_499])
    func theFirstCollectionIsMadeAtOnceAndTheOthersAtTheHostsPhase(phase: Int64) {
        let bench = SourceBench(phase: .milliseconds(phase))
        bench.run(for: .milliseconds(4_600))
        let milliseconds = bench.steps.map { Int64((bench.seconds(of: $0) * 1_000).rounded()) }
        #expect(milliseconds.prefix(4) == [0, phase, phase + 1_000, phase + 2_000])
        #expect(bench.useCase.status.missedTicks == 0)
    }

    @Test func aFirstCollectionThatTakesLongMissesTheTicksItRunsOver() {
        let bench = SourceBench(phase: .milliseconds(1_400)) { clock, _ in
            if clock.monotonicTime == MonotonicInstant(nanoseconds: 1_000_000_000) { clock.advance(by: .seconds(3)) }
        }
        bench.run(for: .milliseconds(4_500))
        #expect(bench.steps.map { bench.seconds(of: $0) } == [0, 3.4, 4.4])
        #expect(bench.useCase.status.missedTicks == 2)
    }

    @Test func aFirstCollectionThatRunsOverAnEarlyTickMissesIt() {
        let bench = SourceBench(phase: .milliseconds(600)) { clock, _ in
            if clock.monotonicTime == MonotonicInstant(nanoseconds: 1_000_000_000) {
                clock.advance(by: .milliseconds(800))
            }
        }
        bench.run(for: .seconds(2))
        #expect(bench.steps.map { bench.seconds(of: $0) } == [0, 1.6])
        #expect(bench.useCase.status.missedTicks == 1)
    }

    @Test func aSourceThatFailsAtFirstComesBackAtItsPhase() {
        let bench = SourceBench(phase: .milliseconds(1_300))
        bench.source.answerCollections([.fake(.transient, stage: .collect)])
        bench.run(for: .seconds(20))
        let phases = bench.steps.dropFirst().map { Int((bench.seconds(of: $0) * 1_000).rounded()) % 1_000 }
        #expect(!phases.isEmpty && phases.allSatisfy { $0 == 300 })
    }
}
