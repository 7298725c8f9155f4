import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

/// Where the grid of a host lies after its first collection.
@Suite struct CollectSourcePhaseTests {
    @Test(arguments: [
        (Int64(0), 1.0), (1, 1.001), (400, 1.4), (499, 1.499), (500, 0.5), (600, 0.6), (999, 0.999),
    ])
    func theFirstCollectionIsMadeAtOnceAndTheOthersAtTheHostsPhase(phase: Int64, second: Double) {
        let bench = SourceBench(phase: .milliseconds(phase))
        bench.run(for: .milliseconds(4_600))
        let milliseconds = bench.steps.map { Int((bench.seconds(of: $0) * 1_000).rounded()) }
        let first = Int((second * 1_000).rounded())
        #expect(milliseconds.prefix(4) == [0, first, first + 1_000, first + 2_000])
        #expect(bench.useCase.status.missedTicks == 0)
    }

    @Test func aFirstCollectionThatTakesLongMissesTheTicksItRunsOver() {
        let bench = SourceBench(phase: .milliseconds(400)) { clock, _ in
            if clock.monotonicTime == MonotonicInstant(nanoseconds: 1_000_000_000) { clock.advance(by: .seconds(3)) }
        }
        bench.run(for: .milliseconds(4_500))
        #expect(bench.steps.map { bench.seconds(of: $0) } == [0, 3.4, 4.4])
        #expect(bench.useCase.status.missedTicks == 2)
    }

    @Test func aSourceThatFailsAtFirstComesBackAtItsPhase() {
        let bench = SourceBench(phase: .milliseconds(300))
        bench.source.answerCollections([.fake(.transient, stage: .collect)])
        bench.run(for: .seconds(20))
        let phases = bench.steps.dropFirst().map { Int((bench.seconds(of: $0) * 1_000).rounded()) % 1_000 }
        #expect(!phases.isEmpty && phases.allSatisfy { $0 == 300 })
    }
}
