import SondeDomain
import Testing

@Suite struct HistogramValueTests {
    @Test func itsCountIsTheSumOfItsBuckets() throws {
        let histogram = try #require(HistogramValue(bounds: [1, 2], counts: [3, 4, 5], sum: 20))
        #expect(histogram.count == 12)
        #expect(histogram.sum == 20)
    }

    @Test(
        arguments: [
            ([1, 2], [1, 1]), ([], []), ([2, 1], [0, 0, 0]), ([1, 1], [0, 0, 0]), ([.infinity], [0, 0]),
            ([.nan], [0, 0]),
            ([1], [UInt64.max, 1]),
        ] as [([Double], [UInt64])])
    func whatDoesNotFitTogetherIsNoHistogram(bounds: [Double], counts: [UInt64]) {
        #expect(HistogramValue(bounds: bounds, counts: counts, sum: nil) == nil)
    }

    @Test func aSumThatIsNotFiniteIsUnknown() throws {
        #expect(try #require(HistogramValue(bounds: [], counts: [1], sum: .infinity)).sum == nil)
    }

    @Test func equalHistogramsHashAlike() throws {
        let one = try #require(HistogramValue(bounds: [1], counts: [1, 2], sum: 3))
        let other = try #require(HistogramValue(bounds: [1], counts: [1, 2], sum: 3))
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one != HistogramValue(bounds: [1], counts: [2, 1], sum: 3))
    }
}
