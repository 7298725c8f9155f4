import SondeDomain
import SondeTestKit
import Testing

@Suite struct HistoryPointTests {
    private func random(_ random: inout SeededGenerator) -> HistoryPoint {
        let value = Double.random(in: -1e6...1e6, using: &random)
        var point = HistoryPoint(
            average: value, weight: UInt64.random(in: 1...5_000_000, using: &random), minimum: value - 1,
            maximum: value + 1, peak: Bool.random(using: &random) ? value * 2 : nil, last: value + 0.5,
            count: UInt64.random(in: 0...9, using: &random))
        if Bool.random(using: &random) {
            let counts = (0...LatencyCounts.bounds.count).map { _ in UInt32.random(in: 0...99, using: &random) }
            point.latencies = LatencyCounts(counts: counts)
        }
        return point
    }

    @Test func mergingIsAssociative() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let (first, second, third) = (random(&generator), random(&generator), random(&generator))
            let left = first.merging(second).merging(third)
            var right = first.merging(second.merging(third))
            #expect(abs(left.average - right.average) <= 1e-9 * max(1, abs(left.average)))
            right.average = left.average
            #expect(left == right)
        }
    }

    @Test func theAverageIsWeightedByTime() {
        let merged = HistoryPoint(10, weight: 3_000_000).merging(HistoryPoint(20, weight: 1_000_000))
        #expect(merged.average == 12.5)
        #expect(merged.weight == 4_000_000)
        #expect(merged.minimum == 10)
        #expect(merged.maximum == 20)
        #expect(merged.last == 20)
        #expect(merged.count == 2)
    }

    @Test func aValueThatNeverChangesIsItsOwnAverage() {
        var point = HistoryPoint(0.1, weight: 333)
        for _ in 0..<10_000 { point.merge(HistoryPoint(0.1, weight: 777)) }
        #expect(point.average == 0.1)
    }

    @Test func thePeakOfTwoIsTheHigherOneInEitherOrder() {
        let (high, low) = (HistoryPoint(1, weight: 1, peak: 9), HistoryPoint(2, weight: 1, peak: 4))
        #expect(high.merging(low).peak == 9)
        #expect(low.merging(high).peak == 9)
        // Of a part of the time only readings are known: what is told as the peak is not below the largest of them.
        let coarse = HistoryPoint(20, weight: 1)
        #expect(HistoryStatistic.peak.value(of: high.merging(coarse)) == 20)
        #expect(HistoryStatistic.peak.value(of: coarse) == nil)
    }

    @Test func anAbsentPeakIsNotZero() {
        let none = HistoryPoint(5, weight: 1).merging(HistoryPoint(6, weight: 1))
        #expect(none.peak == nil)
        #expect(none.merging(HistoryPoint(1, weight: 1, peak: -3)).peak == -3)
        #expect(HistoryPoint(1, weight: 1, peak: -3).merging(none).peak == -3)
    }

    @Test func theLargestNumbersStayFinite() {
        let huge = Double.greatestFiniteMagnitude
        let merged = HistoryPoint(huge, weight: .max).merging(HistoryPoint(-huge, weight: .max))
        #expect(merged.isFinite)
        #expect(merged.weight == .max)
    }

    @Test func theAverageOfAMonthIsThatOfAllItsHours() {
        let hours = (0..<720).map { HistoryPoint(Double($0), weight: 3_600_000_000, count: 360) }
        let month = hours.dropFirst().reduce(hours[0]) { $0.merging($1) }
        #expect(abs(month.average - 359.5) < 1e-6)
        #expect(month.weight == 720 * 3_600_000_000)
        #expect(month.count == 720 * 360)
    }
}
