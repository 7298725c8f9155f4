import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

struct EndMarkTests {
    private static let path = "/spool/END"
    private let disk = SimulatedFileSystem(seed: 1)

    init() throws {
        try disk.makeDirectory("/spool")
    }

    private func end(_ end: UInt64) -> EndMark.End { EndMark.End(epoch: SpoolFixture.epoch(1), end: end) }

    @Test func theNewestEndIsFound() throws {
        #expect(try EndMark(Self.path, disk).found == nil)
        for number in 1...5 as ClosedRange<UInt64> {
            let mark = try EndMark(Self.path, disk)
            #expect(mark.found == (number == 1 ? nil : end(number * 10 - 9)))
            for step in 0..<number { try mark.write(end(number * 10 + step)) }
            try mark.write(end(number * 10 + 1))
        }
        #expect(try EndMark(Self.path, disk).found == end(51))
    }

    /// A power cut may leave a part of a sector's old and a part of its new contents.
    @Test(arguments: [2, 3, 9] as [UInt64])
    func aTornWriteLeavesTheEndBefore(writes: UInt64) throws {
        let mark = try EndMark(Self.path, disk)
        for number in 1...writes { try mark.write(end(number)) }
        let file = try disk.open(Self.path, .openOrCreate)
        try file.writeWhole([0xff], at: Int64(writes % 2) * 512 + 10)
        let next = try EndMark(Self.path, disk)
        #expect(next.found == end(writes - 1))
        try next.write(end(100))
        #expect(try EndMark(Self.path, disk).found == end(100))
    }
}
