import SondeDomain
import Testing

@Suite struct SequenceTextTests {
    @Test(
        arguments: [
            ("1", 1, 1), ("1200", 1_200, 1_200), ("1200-1300", 1_200, 1_300), ("7-7", 7, 7),
            ("18446744073709551615", .max, .max),
        ] as [(String, UInt64, UInt64)])
    func numbersAreReadWithBothEnds(_ text: String, _ first: UInt64, _ last: UInt64) throws {
        let sequence = try #require(SequenceText(text))
        #expect(sequence.first == first)
        #expect(sequence.last == last)
    }

    @Test(
        arguments: [
            "", "-", "0", "0-5", "5-", "-5", "5-4", "1-2-3", "1--3", "a", "1-b", "a-1", " 1", "1 - 2",
            "18446744073709551616",
        ])
    func anythingElseIsNoSequence(_ text: String) {
        #expect(SequenceText(text) == nil)
    }
}
