import SondeDomain
import SondePluginKit
import Testing

@Suite struct LatencyHistogramTests {
    private static func snapshot(_ durations: [UInt64], bounds: [UInt64]) -> (counts: [UInt64], sum: Double?)? {
        var histogram = LatencyHistogram(bounds: bounds)
        for duration in durations { histogram.record(nanoseconds: duration) }
        return histogram.snapshot.map { ($0.counts, $0.sum) }
    }

    @Test func aDurationBelongsToTheFirstBoundThatItDoesNotExceed() {
        let snapshot = Self.snapshot([0, 9, 10, 11, 20, 21, .max], bounds: [10, 20])
        #expect(snapshot?.counts == [3, 2, 2])
    }

    @Test func everyDurationNearABoundOrAPowerOfTwoFindsItsBucket() {
        let bounds = LatencyHistogram.answerBounds
        let marks = bounds + (0..<64).map { 1 << $0 } + [0, .max]
        for mark in marks {
            for duration in [mark &- 1, mark, mark &+ 1] {
                let expected = bounds.firstIndex { duration <= $0 } ?? bounds.count
                #expect(Self.snapshot([duration], bounds: bounds)?.counts[expected] == 1, "\(duration)")
            }
        }
    }

    @Test func theSumIsInSeconds() {
        #expect(Self.snapshot([1_500_000_000, 500_000_000], bounds: [10])?.sum == 2)
    }

    @Test func aSumBeyond64BitsIsUnknown() {
        #expect(Self.snapshot([.max, 1], bounds: [10]).map { $0.sum == nil } == true)
    }

    @Test func boundsAreInSecondsFromTenMicroseconds() {
        let histogram = LatencyHistogram()
        let bounds = histogram.snapshot?.bounds
        #expect(bounds?.first == 0.000_01)
        #expect(bounds?.last == 5)
        #expect(bounds?.count == 18)
    }

    @Test func boundsThatDoNotAscendAreLeftOut() {
        #expect(Self.snapshot([6], bounds: [5, 5, 3, 7])?.counts == [0, 1, 0])
        #expect(Self.snapshot([6], bounds: [])?.counts == [1])
    }
}
