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
        // A day without an agent lies in the month, and a restart or none in the last hour.
        #expect((600...700).contains(try #require(counts[.month])))
    }
}
