import SondeTestKit
import Testing

@testable import SondePluginKit

@Suite struct ResponseTimesTests {
    private func times(_ values: [UInt64], mostKept: Int = 1000) -> (UInt64?, Double?, UInt64?) {
        var times = ResponseTimes(mostKept: mostKept)
        for value in values { times.record(nanoseconds: value) }
        return (times.minimum, times.median, times.maximum)
    }

    @Test func withoutTimesNothingIsKnown() {
        let (minimum, median, maximum) = times([])
        #expect(minimum == nil && median == nil && maximum == nil)
    }

    @Test func theMedianIsExactWhileTimesAreKept() {
        #expect(times([5, 1, 9]) == (1, 5, 9))
        #expect(times([4, 1, 9, 7]) == (1, 5.5, 9))
        #expect(times([.max]) == (.max, Double(UInt64.max), .max))
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func theMedianIsThatOfTheSortedTimes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for count in 1...60 {
            let values = (0..<count).map { _ in
                UInt64(1) << UInt64.random(in: 0...12, using: &generator) + UInt64.random(in: 0...3, using: &generator)
            }
            let sorted = values.sorted()
            let expected = (Double(sorted[(count - 1) / 2]) + Double(sorted[count / 2])) / 2
            #expect(times(values).1 == expected, "\(values)")
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func beyondThatItIsWithinATenthOfAPercent(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let values = (0..<20_001).map { _ in
            // Over many powers of ten, as times are.
            UInt64(1) << UInt64.random(in: 3...33, using: &generator) + UInt64.random(in: 0...9000, using: &generator)
        }
        let (minimum, median, maximum) = times(values, mostKept: 500)
        let exact = Double(values.sorted()[10_000])
        #expect(abs((median ?? 0) - exact) <= exact / 1000)
        #expect(minimum == values.min())
        #expect(maximum == values.max())
    }

    @Test func everyTimeHasABucket() {
        for value: UInt64 in [0, 1, 511, 512, 513, 1023, 1024, .max / 2, .max] {
            let (_, median, _) = times([value, value, value], mostKept: 1)
            #expect(median == Double(value))
        }
    }
}
