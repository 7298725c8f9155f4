import SondeDomain
import Testing

@Suite struct LatencyCountsTests {
    private func counts(_ pairs: [Int: UInt32]) -> LatencyCounts? {
        LatencyCounts(counts: (0...LatencyCounts.bounds.count).map { pairs[$0] ?? 0 })
    }

    @Test func nothingHasNoQuantile() {
        #expect(LatencyCounts().quantile(0.5) == nil)
    }

    @Test func aQuantileLiesInItsBucket() throws {
        // Ten between 1 and 2.5 ms, ten between 10 and 25 ms.
        let latencies = try #require(counts([7: 10, 10: 10]))
        #expect(latencies.total == 20)
        #expect(try #require(latencies.quantile(0.5)) == 0.0025)
        #expect((0.01...0.025).contains(try #require(latencies.quantile(0.95))))
        #expect(try #require(latencies.quantile(1)) == 0.025)
    }

    @Test func whatIsAboveTheLastBoundIsNotKnown() throws {
        let latencies = try #require(counts([0: 90, 18: 10]))
        #expect(latencies.quantile(0.5) != nil)
        #expect(latencies.quantile(0.95) == nil)
    }

    @Test(arguments: [-0.1, 1.1, .nan, .infinity])
    func aShareIsBetweenNothingAndAll(share: Double) throws {
        #expect(try #require(counts([3: 1])).quantile(share) == nil)
    }

    @Test func countsMustFitTheBounds() {
        #expect(LatencyCounts(counts: []) == nil)
        #expect(LatencyCounts(counts: [UInt32](repeating: 0, count: 18)) == nil)
    }

    @Test func mergingAddsAndNeverOverflows() throws {
        let merged = try #require(counts([1: .max, 2: 3])).merging(try #require(counts([1: 1, 2: 4])))
        #expect(merged.counts[1] == .max)
        #expect(merged.counts[2] == 7)
    }
}
