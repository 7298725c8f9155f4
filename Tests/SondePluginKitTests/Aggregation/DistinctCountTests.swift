import SondePluginKit
import Testing

@Suite struct DistinctCountTests {
    private func estimate(_ keys: Range<Int>, repeated: Int = 1) -> UInt64 {
        var sketch = DistinctCount()
        for _ in 0..<repeated { Self.add(keys, to: &sketch) }
        return sketch.estimate
    }

    private static func add(_ keys: Range<Int>, to sketch: inout DistinctCount) {
        for key in keys { Array("host-\(key).example".utf8).withUnsafeBytes { sketch.add($0) } }
    }

    @Test func nothingIsNothing() {
        #expect(estimate(0..<0) == 0)
    }

    @Test(arguments: [1, 2, 10, 100, 1000, 5000, 20_000, 100_000])
    func theEstimateIsNearTheTruth(count: Int) {
        // Four standard errors of 1.04 / sqrt(4096); few keys hardly collide.
        let estimate = Double(estimate(0..<count))
        #expect(abs(estimate - Double(count)) <= max(0.5, Double(count) * 0.065))
    }

    @Test func repetitionsAreNotCounted() {
        #expect(estimate(0..<3000, repeated: 3) == estimate(0..<3000))
    }

    @Test func aSketchThatForgotBeginsAnew() {
        var sketch = DistinctCount()
        Self.add(0..<1000, to: &sketch)
        sketch.reset()
        #expect(sketch.estimate == 0)
    }

    @Test func everyHashIsTaken() {
        var sketch = DistinctCount()
        for hash: UInt64 in [0, .max, 1, 1 << 63] { sketch.add(hash: hash) }
        #expect(sketch.estimate == 4)
    }
}
