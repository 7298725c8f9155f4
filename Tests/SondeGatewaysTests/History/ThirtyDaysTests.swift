import SondeDomain
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct ThirtyDaysTests {
    @Test func everyRangeOfTheFileAgreesWithTheRawReadings() throws {
        let fixture = try HistoryFixture()
        let store = fixture.store()
        let simulation = HistorySimulation(store, seed: 31)
        simulation.run()
        let counts = try simulation.check()
        try simulation.check(randomRanges: 40)
        #expect(counts.count == HistoryTier.allCases.count)
        #expect((600...700).contains(try #require(counts[.month])))
        #expect(store.takeFailures().isEmpty)
    }
}
