import SondePluginKit
import SondeTestKit
import Testing

@Suite struct SpaceSavingTests {
    /// Keys of which few are frequent and many are rare, as names are.
    private static func skewed(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let uniform = Double.random(in: 0.000_1..<1, using: &generator)
            let rank = Int(1 / uniform)
            return Array("name-\(rank).example".utf8)
        }
    }

    private static func exact(_ keys: [[UInt8]], weight: (Int) -> UInt64) -> [[UInt8]: UInt64] {
        var counts: [[UInt8]: UInt64] = [:]
        for (index, key) in keys.enumerated() { counts[key, default: 0] += weight(index) }
        return counts
    }

    private static func sketch(_ keys: [[UInt8]], capacity: Int, weight: (Int) -> UInt64) -> TopKeys {
        var sketch = SpaceSaving(capacity: capacity)
        for (index, key) in keys.enumerated() {
            key.withUnsafeBytes { sketch.add($0, weight: weight(index)) }
        }
        return sketch.top(capacity)
    }

    @Test func fewKeysAreCountedExactly() {
        let keys = Self.skewed(5000, seed: 1)
        let exact = Self.exact(keys) { _ in 1 }
        let top = Self.sketch(keys, capacity: exact.count) { _ in 1 }
        #expect(top.entries.count == exact.count)
        for entry in top.entries {
            #expect(entry.count == exact[entry.key])
            #expect(entry.error == 0)
        }
        #expect(top.other == 0)
    }

    @Test(arguments: [1, 2, 3, 16, 100, 256])
    func noCountIsTooSmallNorTooLargeByMoreThanItsError(capacity: Int) {
        let keys = Self.skewed(30_000, seed: UInt64(capacity))
        for weight: (Int) -> UInt64 in [{ _ in 1 }, { UInt64($0 % 1400 + 60) }] {
            let exact = Self.exact(keys, weight: weight)
            let top = Self.sketch(keys, capacity: capacity, weight: weight)
            #expect(top.entries.count == capacity)
            #expect(top.total == exact.values.reduce(0, +))
            #expect(top.entries.map(\.count).reduce(0, +) == top.total)
            for entry in top.entries {
                let truth = exact[entry.key] ?? 0
                #expect(entry.count >= truth)
                #expect(entry.count - entry.error <= truth)
                #expect(entry.error <= top.total / UInt64(capacity))
            }
        }
    }

    @Test func aHeavyKeyIsAlwaysKept() {
        let keys = Self.skewed(30_000, seed: 9)
        let exact = Self.exact(keys) { _ in 1 }
        let kept = Set(Self.sketch(keys, capacity: 64) { _ in 1 }.entries.map(\.key))
        for (key, count) in exact where count > 30_000 / 64 { #expect(kept.contains(key)) }
    }

    @Test func whatIsNotShownIsInTheRemainder() {
        var sketch = SpaceSaving(capacity: 100)
        for key in Self.skewed(10_000, seed: 3) { key.withUnsafeBytes { sketch.add($0) } }
        for limit in [0, 1, 10, 100, 1000, -1] {
            let top = sketch.top(limit)
            #expect(top.entries.count == min(max(limit, 0), 100))
            #expect(top.entries.map(\.count).reduce(0, +) + top.other == 10_000)
        }
    }

    @Test func theOrderIsTheSameEveryTime() {
        let keys = Self.skewed(10_000, seed: 5)
        #expect(Self.sketch(keys, capacity: 50) { _ in 1 } == Self.sketch(keys, capacity: 50) { _ in 1 })
        let even = Self.sketch(["b", "c", "a"].map { Array($0.utf8) }, capacity: 3) { _ in 1 }
        #expect(even.entries.map { String(decoding: $0.key, as: UTF8.self) } == ["a", "b", "c"])
    }

    @Test func aKeyThatIsTooLongCountsInTheTotalAlone() {
        var sketch = SpaceSaving(capacity: 4, keyCapacity: 8)
        [UInt8](repeating: 1, count: 9).withUnsafeBytes { sketch.add($0, weight: 5) }
        [UInt8](repeating: 1, count: 8).withUnsafeBytes { sketch.add($0, weight: 2) }
        let top = sketch.top(4)
        #expect(top.entries.map(\.count) == [2])
        #expect(top.other == 5)
    }

    @Test func weightWithoutAKeyCountsInTheTotalAlone() {
        var sketch = SpaceSaving(capacity: 4)
        sketch.addUnkept(weight: 3)
        sketch.addUnkept(weight: .max)
        #expect(sketch.total == .max && sketch.count == 0)
    }

    @Test func keysOfEveryLengthAreToldApart() {
        var sketch = SpaceSaving(capacity: 600)
        for length in 0...255 {
            [UInt8](repeating: 7, count: length).withUnsafeBytes { sketch.add($0) }
            guard length > 0 else { continue }
            // The last byte makes the difference.
            ([UInt8](repeating: 7, count: length - 1) + [8]).withUnsafeBytes { sketch.add($0, hash: 1) }
        }
        let top = sketch.top(600)
        #expect(top.entries.count == 511)
        #expect(top.entries.allSatisfy { $0.count == 1 })
    }

    @Test func keysOfTheSameHashAreToldApart() {
        var sketch = SpaceSaving(capacity: 20)
        for key in (0..<50 as Range<UInt8>) { [key].withUnsafeBytes { sketch.add($0, hash: 42) } }
        let top = sketch.top(20)
        #expect(top.entries.count == 20)
        #expect(top.entries.map(\.count).reduce(0, +) == 50)
    }

    @Test func weightsBeyond64BitsStayAtTheEnd() {
        var sketch = SpaceSaving(capacity: 1)
        for key in ["a", "a", "b"] { Array(key.utf8).withUnsafeBytes { sketch.add($0, weight: .max - 1) } }
        let top = sketch.top(1)
        #expect(top.total == .max)
        #expect(top.other == 0)
    }

    @Test func aSketchThatForgotBeginsAnew() {
        var sketch = SpaceSaving(capacity: 8)
        for key in Self.skewed(1000, seed: 5) { key.withUnsafeBytes { sketch.add($0) } }
        sketch.reset()
        Array("a".utf8).withUnsafeBytes { sketch.add($0) }
        let top = sketch.top(8)
        #expect(top.entries.map(\.key) == [Array("a".utf8)])
        #expect(top.entries.map(\.error) == [0])
        #expect(top.total == 1)
    }
}
