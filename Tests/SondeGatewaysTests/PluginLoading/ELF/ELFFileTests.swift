import Foundation
import Testing

@testable import SondeGateways

struct ELFFileTests {
    private func object() throws -> [UInt8] {
        let workshop = try PluginWorkshop()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: try workshop.compile("loadavg"))))
    }

    private func flaw(_ bytes: [UInt8]) -> ELFFlaw? {
        do throws(ELFFlaw) {
            let file = try ELFFile(bytes)
            _ = try file.content(ofSection: PluginVersion.section, limit: PluginVersion.sectionLimit)
            return nil
        } catch {
            return error
        }
    }

    @Test func findsTheVersionRecordOfARealObject() throws {
        let file = try ELFFile(try object())
        let content = try #require(try file.content(ofSection: "sonde_abi", limit: 64))
        #expect(content.count == 64)
        #expect(content.prefix(8) == [64, 0, 0, 0, 1, 0, 0, 0])
        #expect(try file.content(ofSection: "sonde_abc", limit: 64) == nil)
    }

    @Test func refusesASectionLargerThanItsReaderWants() throws {
        let file = try ELFFile(try object())
        #expect(throws: ELFFlaw.self) { try file.content(ofSection: "sonde_abi", limit: 63) }
    }

    @Test func refusesEveryTruncation() throws {
        let whole = try object()
        // The table of sections is at the end, so no truncation is a whole object.
        for length in 0..<whole.count {
            #expect(flaw(Array(whole.prefix(length))) != nil, "\(length) bytes")
        }
    }

    @Test func survivesFlippedBits() throws {
        let whole = try object()
        var random = SplitMix(state: 20_260_101)
        var refused = 0
        for round in 0..<6_000 {
            var bytes = whole
            // Half of the rounds in the headers, where a bit matters most.
            let headers = [0..<64, 64..<700, whole.count - 2_000..<whole.count]
            for _ in 0...Int(random.next() % 4) {
                let range = round % 2 == 0 ? headers[Int(random.next() % 3)] : 0..<whole.count
                let index = range.lowerBound + Int(random.next() % UInt64(range.count))
                bytes[index] ^= 1 << UInt8(random.next() % 8)
            }
            if flaw(bytes) != nil { refused += 1 }
        }
        #expect(refused > 600)
        #expect(refused < 6_000)
    }

    struct Patch: CustomTestStringConvertible {
        let testDescription: String
        let offset: Int
        let bytes: [UInt8]
        let isForeign: Bool
    }

    @Test(arguments: [
        Patch(testDescription: "32 bits", offset: 4, bytes: [1], isForeign: true),
        Patch(testDescription: "big-endian", offset: 5, bytes: [2], isForeign: true),
        Patch(testDescription: "another system", offset: 7, bytes: [9], isForeign: true),
        Patch(testDescription: "an executable", offset: 16, bytes: [2, 0], isForeign: true),
        Patch(testDescription: "another machine", offset: 18, bytes: [8, 0], isForeign: true),
        Patch(testDescription: "no segments", offset: 56, bytes: [0, 0], isForeign: false),
        Patch(testDescription: "too many segments", offset: 56, bytes: [255, 255], isForeign: false),
        Patch(testDescription: "too many sections", offset: 60, bytes: [255, 255], isForeign: false),
        Patch(testDescription: "segments outside the file", offset: 38, bytes: [255, 255], isForeign: false),
        Patch(testDescription: "sections outside the file", offset: 46, bytes: [255, 255], isForeign: false),
        Patch(testDescription: "names outside the sections", offset: 62, bytes: [255, 0], isForeign: false),
        Patch(testDescription: "a first segment beyond the file", offset: 64 + 38, bytes: [255], isForeign: false),
        Patch(testDescription: "a first segment beyond memory", offset: 64 + 46, bytes: [255], isForeign: false),
        Patch(testDescription: "an alignment of 3", offset: 64 + 48, bytes: [3, 0], isForeign: false),
    ])
    func refusesAHeaderWith(_ patch: Patch) throws {
        var bytes = try object()
        bytes.replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
        switch flaw(bytes) {
        case .foreign: #expect(patch.isForeign)
        case .broken: #expect(!patch.isForeign)
        case .notELF, nil: Issue.record("not refused for what is wrong with it")
        }
    }

    @Test func readsAFileAsItReadsMemory() throws {
        let workshop = try PluginWorkshop()
        let path = try workshop.compile("loadavg")
        let file = try PluginFile(opening: path)
        let inFile = try ELFFile(file.bytes)
        let inMemory = try ELFFile([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(inFile.sections == inMemory.sections)
        #expect(inFile.segments == inMemory.segments)
    }

    @Test func readsNothingBeyondTheEnd() throws {
        let workshop = try PluginWorkshop()
        let file = try PluginFile(opening: try workshop.compile("loadavg"))
        #expect(file.bytes.read(at: file.bytes.byteCount - 4, count: 4)?.count == 4)
        #expect(file.bytes.read(at: file.bytes.byteCount - 4, count: 5) == nil)
        #expect(file.bytes.read(at: .max, count: 1) == nil)
        #expect(file.bytes.read(at: 0, count: -1) == nil)
    }
}

/// Steele, Lea, Flood 2014: the same numbers on every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
