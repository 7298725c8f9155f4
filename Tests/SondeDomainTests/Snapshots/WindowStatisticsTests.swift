import SondeDomain
import SondeTestKit
import Testing

@Suite struct WindowStatisticsTests {
    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func anEmptyWindowKnowsNothing() {
        let window = WindowStatistics(window: .seconds(60))
        #expect(window.average(at: at(10)) == nil)
        #expect(window.peak(at: at(10)) == nil)
    }

    @Test func theAverageIsWeightedByHowLongAValueHeld() {
        var window = WindowStatistics(window: .seconds(60))
        window.add(10, held: .seconds(9), at: at(9))
        window.add(110, held: .seconds(1), at: at(10))
        #expect(window.average(at: at(10)) == 20)
        #expect(window.peak(at: at(10)) == 110)
    }

    @Test func whatIsOlderThanTheWindowIsForgotten() {
        var window = WindowStatistics(window: .seconds(60))
        window.add(100, held: .seconds(1), at: at(1))
        window.add(1, held: .seconds(1), at: at(30))
        #expect(window.peak(at: at(60)) == 100)
        #expect(window.peak(at: at(61)) == 1)
        #expect(window.average(at: at(89)) == 1)
        #expect(window.peak(at: at(90)) == nil)
    }

    @Test func aSlotThatIsUsedAgainKeepsNothingOfItsPast() {
        var window = WindowStatistics(window: .seconds(60))
        window.add(100, held: .seconds(1), at: at(5))
        window.add(2, held: .seconds(1), at: at(65))
        #expect(window.peak(at: at(65)) == 2)
        #expect(window.average(at: at(65)) == 2)
    }

    @Test func negativeValuesHaveAPeakTheirLargest() {
        var window = WindowStatistics(window: .seconds(60))
        window.add(-5, held: .seconds(1), at: at(1))
        window.add(-3, held: .seconds(1), at: at(1))
        #expect(window.peak(at: at(1)) == -3)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatIsNotFiniteIsLeftOut(value: Double) {
        var window = WindowStatistics(window: .seconds(60))
        window.add(value, held: .seconds(1), at: at(1))
        #expect(window.peak(at: at(1)) == nil)
    }

    @Test func anAverageThatADoubleCannotHoldIsUnknown() {
        var window = WindowStatistics(window: .seconds(60))
        window.add(.greatestFiniteMagnitude, held: .seconds(9), at: at(9))
        #expect(window.average(at: at(9)) == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 59, .max])
    func anyWindowAndInstantAreTaken(nanoseconds: Int64) {
        var window = WindowStatistics(window: Nanoseconds(nanoseconds))
        for time in [Int64.min, -1, 0, 1, .max] {
            window.add(1, held: .seconds(1), at: MonotonicInstant(nanoseconds: time))
            _ = window.average(at: MonotonicInstant(nanoseconds: time))
        }
        #expect(window.peak(at: .distantFuture) == 1)
    }

    @Test func randomValuesStayBetweenTheirExtremes() throws {
        var random = SeededGenerator(seed: 4)
        var window = WindowStatistics(window: .seconds(60))
        var values: [(Int64, Double)] = []
        for second in 1...600 as ClosedRange<Int64> {
            let value = Double.random(in: 0...1_000, using: &random)
            values.append((second, value))
            window.add(value, held: .seconds(1), at: at(second))
            let live = values.suffix(60).map(\.1)
            let average = try #require(window.average(at: at(second)))
            #expect(window.peak(at: at(second)) == live.max())
            #expect(abs(average - live.reduce(0, +) / Double(live.count)) < 1e-6)
        }
    }
}
