import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct HexadecimalTableTests {
    private func read(_ text: String, hasNames: Bool) -> (table: HexadecimalTable, problems: UInt64) {
        var table = HexadecimalTable()
        var problems = InputProblemCounts()
        Array(text.utf8).withUnsafeBytes { table.read($0, hasNames: hasNames, &problems) }
        return (table, problems.total)
    }

    @Test func rowsAndNamesAreRead() {
        let found = read("entries  found\n0000000a  ff\n0000000a  00000001\n", hasNames: true)
        #expect(found.table.names == ["entries", "found"])
        #expect(found.table.numbers == [10, 255, 10, 1])
        #expect(found.table.number(row: 1, column: 1) == 1)
        #expect(found.table.number(row: 2, column: 0) == nil)
        #expect(found.problems == 0)
    }

    @Test func aRowOfAnotherLengthIsLeftOut() {
        let found = read("1 2 3\n1 2\n4 5 6\nx y z\n", hasNames: false)
        #expect(found.table.numbers == [1, 2, 3, 4, 5, 6])
        #expect(found.problems == 2)
    }

    @Test func aFileCutAtAnyByteGivesWholeRowsOnly() {
        let text = Array("entries  found new\n0000000a  000000ff 00000001\n0000000a  00000002 00000003\n".utf8)
        for length in 0...text.count {
            let cut = Array(text.prefix(length))
            let found = read(String(decoding: cut, as: UTF8.self), hasNames: true)
            let lines = cut.count { $0 == UInt8(ascii: "\n") }
            // In a line that was cut a name may be a part of one: then no row fits.
            #expect(found.table.rows == max(0, lines - 1), "cut at \(length)")
            if found.table.rows > 0 { #expect(found.table.number(row: 0, column: 1) == 255) }
        }
    }

    @Test func noiseIsReadWithoutATrap() {
        var random = SeededGenerator(seed: 9)
        let alphabet = Array(" \t\n0123456789abcdefABCDEFxg-".utf8) + [0, 0xff]
        for round in 0..<1_000 {
            let bytes = (0..<200).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            var table = HexadecimalTable()
            var problems = InputProblemCounts()
            bytes.withUnsafeBytes { table.read($0, hasNames: round % 2 == 0, &problems) }
            #expect(table.rows * table.width == table.numbers.count)
        }
    }
}

@Suite struct ProcessorSumTests {
    private func total(_ readings: [[Int: UInt64]]) -> [UInt64] {
        var sum = ProcessorSum()
        return readings.map { reading in
            sum.begin()
            for (processor, number) in reading { sum.take(processor, number) }
            return sum.total
        }
    }

    @Test func theFirstReadingCountsWhole() {
        #expect(total([[0: 10, 1: 20], [0: 11, 1: 25]]) == [30, 36])
    }

    @Test func theEndOf32BitsIsPassed() {
        #expect(total([[0: 0xffff_fff0], [0: 0x10]]) == [0xffff_fff0, 0x1_0000_0010])
    }

    @Test func aFallThatIsNoEndOf32BitsIsNoSpike() {
        #expect(total([[0: 1_000], [0: 10], [0: 15]]) == [1_000, 1_000, 1_005])
        #expect(total([[0: 1 << 40], [0: 10]]) == [1 << 40, 1 << 40])
    }

    @Test func aProcessorThatComesLaterBringsWhatItCountsFromThenOn() {
        #expect(
            total([[0: 5], [0: 6, 1: 1_000], [0: 6, 1: 1_007], [0: 8], [0: 8, 1: 1_010]]) == [5, 6, 13, 15, 18])
    }
}
