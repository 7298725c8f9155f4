import SondeGateways
import SondeTestKit
import Testing

@Suite struct UUIDTextTests {
    private struct Constant: RandomNumberGenerator {
        let value: UInt64
        func next() -> UInt64 { value }
    }

    @Test func randomOnesAreOfVersionFourAndDiffer() {
        var random = SeededGenerator(seed: 1)
        var seen: Set<String> = []
        for _ in 0..<2_000 {
            let text = UUIDText.random(using: &random)
            let letters = Array(text)
            #expect(UUIDText.isValid(text))
            #expect(letters[14] == "4")
            #expect("89ab".contains(letters[19]))
            #expect(seen.insert(text).inserted)
        }
    }

    @Test func leadingZerosAreKept() {
        var zeros = Constant(value: 0)
        #expect(UUIDText.random(using: &zeros) == "00000000-0000-4000-8000-000000000000")
        var ones = Constant(value: .max)
        #expect(UUIDText.random(using: &ones) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    }

    @Test(arguments: [
        "", "-", "00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-0000000000000",
        "0000000-00000-4000-8000-000000000000", "g0000000-0000-4000-8000-000000000000",
        "00000000-0000-4000-8000-00000000000A", "00000000-0000-4000-8000-00000000000é",
        "00000000-0000-4000-8000-000000000000\n", "00000000-0000-4000-8000-000000000000-",
    ])
    func anyOtherTextIsNone(text: String) {
        #expect(!UUIDText.isValid(text))
    }
}
