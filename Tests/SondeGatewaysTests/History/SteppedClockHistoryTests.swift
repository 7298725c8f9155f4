import SondeDomain
import SondeTestKit
import Testing

@testable import SondeGateways

/// A wall clock that is set back and forward again: what the file says in every tier.
@Suite struct SteppedClockHistoryTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func everyTierOfTheFileHasEveryReading(_ seed: UInt64) throws {
        typealias Stretch = HistorySimulation.ClockStretch
        let fixture = try HistoryFixture()
        let store = fixture.store()
        let simulation = HistorySimulation(store, seed: seed)
        simulation.run(
            [
                Stretch(offset: 0, for: 20), Stretch(offset: -1_800, for: 44), Stretch(offset: 0, for: 130),
                Stretch(offset: -Int64(seed) * 97, for: 260, isRestart: true), Stretch(offset: 0, for: 20),
            ], pause: 1)
        _ = try simulation.check()
        #expect(store.takeFailures().isEmpty)
    }
}
