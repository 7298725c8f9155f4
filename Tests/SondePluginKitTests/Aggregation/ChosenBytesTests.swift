import SondePluginKit
import Testing

/// Keys that strangers chose so that they are one under the function without a seed.
@Suite struct ChosenBytesTests {
    private static func withKeys(_ count: UInt64, _ body: (UnsafeRawBufferPointer) -> Void) {
        let start = KeyHash.mix(16 ^ 0x9e37_79b9_7f4a_7c15)
        for number in 0..<count {
            let words = [number.littleEndian, (KeyHash.mix(start ^ number) ^ 55).littleEndian]
            words.withUnsafeBytes(body)
        }
    }

    @Test func theyAreOneWithoutASeedAndManyWithOne() {
        var plain: Set<UInt64> = []
        var seeded: Set<UInt64> = []
        let seed = UInt64.random(in: .min ... .max)
        Self.withKeys(1_000) { key in
            plain.insert(KeyHash.of(key))
            seeded.insert(KeyHash.of(key, seed: seed))
        }
        #expect(plain.count == 1)
        #expect(seeded.count == 1_000)
    }

    @Test func aSketchSeesThemAll() {
        var sketch = DistinctCount()
        Self.withKeys(1_000) { sketch.add($0) }
        #expect((900...1_100).contains(sketch.estimate))
    }
}
