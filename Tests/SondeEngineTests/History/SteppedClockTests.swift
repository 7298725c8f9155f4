import SondeDomain
import SondeTestKit
import Testing

/// A wall clock that is set back and forward again, against an independent computation over the raw readings.
@Suite struct SteppedClockTests {
    typealias Stretch = HistorySimulation.ClockStretch

    private static let plans: [[Stretch]] = [
        [Stretch(offset: 0, for: 20), Stretch(offset: -1_800, for: 44), Stretch(offset: 0, for: 300)],
        [Stretch(offset: 0, for: 44), Stretch(offset: -1_800, for: 200), Stretch(offset: 0, for: 20)],
        // Back into what was lived already: both lives count.
        [Stretch(offset: 0, for: 900), Stretch(offset: -400, for: 300), Stretch(offset: 0, for: 300)],
        [Stretch(offset: 900, for: 100), Stretch(offset: 0, for: 1_500)],
        [
            Stretch(offset: 0, for: 100), Stretch(offset: -1_200, for: 50),
            Stretch(offset: -30, for: 200, isRestart: true), Stretch(offset: 0, for: 70),
        ],
    ]

    @Test(arguments: plans, [1, 4] as [Int64])
    func everyTierHasEveryReading(_ plan: [Stretch], _ pause: Int64) throws {
        let simulation = HistorySimulation(InMemoryHistoryStore(units: 8), seed: 7)
        simulation.run(plan, pause: pause)
        _ = try simulation.check()
    }

    @Test func aLapOfTheLowestRingTakesItsStepsAndNoOther() throws {
        let simulation = HistorySimulation(InMemoryHistoryStore(units: 8), seed: 7)
        // Ten laps: what is new takes the places of what the open steps were to be made of.
        simulation.run(
            [Stretch(offset: 0, for: 80), Stretch(offset: 37_000, for: 200), Stretch(offset: 0, for: 400)], pause: 4)
        _ = try simulation.check(HistoryTier.allCases.dropFirst())
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func everyTierHasEveryReadingWhateverTheClockDoes(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plan = (0..<8).map { _ in
            Stretch(
                offset: .random(in: -700...700, using: &random), for: .random(in: 5...200, using: &random),
                isRestart: Int.random(in: 0..<4, using: &random) == 0)
        }
        let simulation = HistorySimulation(InMemoryHistoryStore(units: 8), seed: seed)
        simulation.run(plan + [Stretch(offset: 700, for: 90)], pause: 5)
        _ = try simulation.check()
    }
}
