import SondeDomain
import SondeTestKit
import Testing

@Suite struct ThirtyDaysInMemoryTests {
    @Test func everyRangeAgreesWithTheRawReadings() throws {
        let simulation = HistorySimulation(InMemoryHistoryStore(units: 8), seed: 30)
        simulation.run()
        let counts = try simulation.check()
        try simulation.check(randomRanges: 40)
        #expect(counts.count == HistoryTier.allCases.count)
        // The month includes a day without an agent, and the last hour a restart or none.
        #expect((600...700).contains(try #require(counts[.month])))
    }
}
