import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// Searches by blocks find what a look at each byte finds.
@Suite struct ByteSearchTests {
    /// Lines of every length up to `longest`, with `byte` strewn in and neighbours of it that differ in a single bit.
    private func lines(_ byte: UInt8, longest: Int = 100) -> [[UInt8]] {
        var generator = SeededGenerator(seed: UInt64(byte))
        return (0...longest).map { length in
            (0..<length).map { _ in
                switch UInt8.random(in: 0...9, using: &generator) {
                case 0: byte
                case 1: byte ^ 1
                case 2: byte ^ 0x80
                default: UInt8.random(in: 0...255, using: &generator)
                }
            }
        }
    }

    private func places(_ byte: UInt8, _ line: [UInt8], from start: Int) -> [Int] {
        line.indices.filter { $0 >= start && line[$0] == byte }
    }

    @Test(arguments: [0x20, 0x22, 0x2e, 0x01, 0x80, 0xff] as [UInt8])
    func aBlockAndItsWordsTellEveryPlace(_ byte: UInt8) {
        for line in lines(byte).dropFirst(ByteBlock.size) {
            let expected = line.prefix(ByteBlock.size).enumerated().reduce(0 as UInt32) { bits, entry in
                bits | (entry.element == byte ? 1 << UInt32(entry.offset) : 0)
            }
            line.withUnsafeBytes { bytes in
                let base = LogBytes(bytes).base
                #expect(ByteBlock(base).places(of: byte) == expected)
                #expect(ByteWords(base).places(of: byte) == expected)
            }
        }
    }

    @Test func aBlockAndItsWordsTellEveryByteThatNamesRarelyHave() {
        for value in 0...255 as ClosedRange<UInt8> {
            for place in 0..<ByteBlock.size {
                var block = [UInt8](repeating: 0x61, count: ByteBlock.size)
                block[place] = value
                let isUsual = (0x21...0x3f).contains(value) || (0x60...0x7e).contains(value)
                block.withUnsafeBytes { bytes in
                    let base = LogBytes(bytes).base
                    #expect(ByteBlock(base).oddPlaces == (isUsual ? 0 : 1 << UInt32(place)))
                    #expect(ByteWords(base).oddPlaces == (isUsual ? 0 : 1 << UInt32(place)))
                }
            }
        }
    }

    @Test(arguments: [0x20, 0x2e, 0x80] as [UInt8])
    func theFirstAndTheLastPlaceAreFoundInLinesOfAnyLength(_ byte: UInt8) {
        for line in lines(byte) {
            line.withUnsafeBytes { bytes in
                let view = LogBytes(bytes)
                for start in [0, 1, 7, 15, 16, 17, 31, line.count - 1, line.count, line.count + 9] where start >= 0 {
                    let expected = places(byte, line, from: start)
                    #expect(view.index(of: byte, from: start) == expected.first ?? line.count)
                    let before = places(byte, line, from: 0).last { $0 < start }
                    #expect(view.lastIndex(of: byte, before: start) == before ?? -1)
                }
                #expect(view.lastIndex(of: byte, before: -3) == -1)
            }
        }
    }

    @Test(arguments: [0x20, 0x22, 0x80] as [UInt8])
    func placesComeOneAfterTheOtherAndThenTheEnd(_ byte: UInt8) {
        for line in lines(byte) {
            line.withUnsafeBytes { bytes in
                for start in [-1, 0, 1, 15, 16, 31, 32, 33, line.count, line.count + 40] {
                    var walk = BytePlaces(of: byte, in: LogBytes(bytes), from: start)
                    for place in places(byte, line, from: start) { #expect(walk.next() == place) }
                    for _ in 0..<3 { #expect(walk.next() == line.count) }
                }
            }
        }
    }

    @Test func aTypeAnywhereInALineIsTheOneByItself() {
        let types = TypeTable()
        for name in ["A", "AAAA", "TXT", "TYPE65280", "HTTPS", "NSEC3PARAM", "type=12345", "x", ""] {
            for (before, after) in [("", ""), ("0123456789", ""), ("", " 0123456789"), ("12", "345678901")] {
                let line = Array((before + name + after).utf8)
                line.withUnsafeBytes { bytes in
                    let view = LogBytes(bytes)
                    let (start, end) = (before.utf8.count, before.utf8.count + name.utf8.count)
                    #expect(types.number(in: view, start, end) == types.number(view.part(start, end)), "\(name)")
                }
            }
        }
    }
}
