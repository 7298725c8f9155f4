import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct ValueBucketsTests {
    @Test func quantilesAreThoseOfTheValuesWithinThreePercent() {
        var random = SeededGenerator(seed: 3)
        for bits in [4, 10, 20, 40, 63] {
            let values = (0..<2_000).map { _ in UInt64.random(in: 0...(1 << UInt64(bits)), using: &random) }
            var buckets = ValueBuckets()
            for value in values { buckets.add(value) }
            let sorted = values.sorted()
            for (share, index) in [(0.0, 0), (0.5, 999), (0.95, 1_899), (0.99, 1_979), (1.0, 1_999)] {
                let exact = Double(sorted[index])
                let found = Double(buckets.quantile(share) ?? 0)
                #expect(abs(found - exact) <= exact * 0.032 + 0.5, "\(bits) bits, \(share)")
            }
            #expect(buckets.largest == sorted.last)
        }
    }

    @Test func withoutAValueThereIsNoQuantile() {
        #expect(ValueBuckets().quantile(0.5) == nil)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 31, 32, UInt64.max - 1, .max]) func everyValueHasABucket(value: UInt64) {
        var buckets = ValueBuckets()
        buckets.add(value)
        let found = Double(buckets.quantile(0.5) ?? 0)
        #expect(abs(found - Double(value)) <= Double(value) * 0.032)
    }
}
