import SondeDomain
import Testing

@Suite struct WindowStatisticsExactnessTests {
    @Test(arguments: [1, 5, 7, 131_072, 4_000_000])
    func aWholeValueThatNeverChangesIsItsOwnAverage(_ value: Double) {
        var statistics = WindowStatistics(window: .seconds(3_600))
        var now = MonotonicInstant(nanoseconds: 1)
        for step in 1...200 {
            let span = Nanoseconds(1_000_012_345 &+ Int64(step) &* 7_919)
            now = now.advanced(by: span)
            statistics.add(value, held: span, at: now)
            #expect(statistics.average(at: now) == value)
        }
    }
}
