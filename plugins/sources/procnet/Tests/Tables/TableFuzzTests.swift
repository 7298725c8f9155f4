import Foundation
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// For any content of a file reading it ends, stays within its bounds, and numbers and columns fit together.
@Suite struct TableFuzzTests {
    static let inputs = ProcTree.fixtures.flatMap { fixture in ProcTable.allCases.map { (fixture, $0) } }

    private static func bytes(_ fixture: String, _ table: ProcTable) -> [UInt8] {
        let path = "\(ProcTree.fixture(fixture))/\(table.path)"
        return FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
    }

    private func check(_ table: ProcTable, _ bytes: [UInt8]) -> Bool {
        var learned = Learned(table, bytes)
        guard learned.sections.map(\.count).reduce(0, +) == learned.numbers.count else { return false }
        guard Set(learned.sections.map(\.key)).count == learned.sections.count else { return false }
        // What was read without a problem reads the same on the steady path.
        if learned.problems.total == 0, !learned.sections.isEmpty, let again = learned.scan(bytes) {
            return again == learned.numbers
        }
        return true
    }

    @Test(arguments: inputs)
    func aFileCutAtAnyByteIsRead(fixture: String, table: ProcTable) {
        let bytes = Self.bytes(fixture, table)
        // Every place near the ends of the first lines, then every 7th: the rest repeats the same shapes.
        for length in 0...bytes.count where length < 600 || length % 7 == 0 || length > bytes.count - 100 {
            #expect(check(table, Array(bytes.prefix(length))), "cut at \(length)")
        }
    }

    @Test(arguments: inputs)
    func aMutatedFileIsRead(fixture: String, table: ProcTable) {
        let original = Self.bytes(fixture, table)
        guard !original.isEmpty else { return }
        var random = SeededGenerator(seed: UInt64(original.count))
        for round in 0..<60 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...8, using: &random) { Self.mutate(&bytes, &random) }
            #expect(check(table, bytes), "round \(round)")
        }
    }

    @Test(arguments: ProcTable.allCases)
    func noiseIsRead(table: ProcTable) {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array(" \t\r\n:|-09aZ_\u{0}".utf8) + [0xFF, 0xC3]
        for round in 0..<300 {
            let count = Int.random(in: 0...400, using: &random)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            #expect(check(table, bytes), "round \(round)")
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8(ascii: "9"), at: index)
        case 3: bytes.insert(contentsOf: bytes[index...].prefix(40), at: index)
        case 4: bytes.removeSubrange(index..<min(bytes.count, index + 60))
        default: bytes[index] = [0x20, 0x0A, 0x3A, 0x2D][index % 4]
        }
    }
}
