import SondeDomain
import SondePluginKit
import Testing

@testable import DNSLogPlugin

/// The checkpoint as bytes.
@Suite struct TailCheckpointTests {
    private func record(_ number: UInt64) -> FileRecord {
        FileRecord(
            identity: FileIdentity(device: 5, inode: number),
            head: Fingerprint(hash: number &* 77, length: 1_024),
            seam: Fingerprint(hash: number &* 99, length: 64),
            offset: Int64(1_000 + number),
            modified: Timestamp(seconds: 1_767_225_600),
            isSkipping: number % 2 == 0,
            isAtEnd: number % 3 == 0
        )
    }

    private func checkpoint(paths: Int, held: Int, settled: Int) -> TailCheckpoint {
        let entries = (0..<paths).map { path in
            TailCheckpoint.Entry(
                key: TailCheckpoint.key(of: "/var/log/\(path)"),
                modified: Timestamp(seconds: 7),
                current: path % 2 == 0 ? record(UInt64(path)) : nil,
                held: (0..<held).map { record(UInt64(100 + $0)) },
                settled: (0..<settled).map { record(UInt64(200 + $0)) }
            )
        }
        return TailCheckpoint(time: Timestamp(seconds: 1_767_225_601), entries: entries)
    }

    @Test(arguments: [(0, 0, 0), (1, 0, 0), (3, 2, 5), (64, 1, 8)])
    func comesBackAsItWas(_ paths: Int, _ held: Int, _ settled: Int) {
        let original = checkpoint(paths: paths, held: held, settled: settled)
        #expect(TailCheckpoint(original.bytes()) == original)
    }

    @Test func theLargestFitsTheContract() {
        var large = checkpoint(paths: 64, held: 0, settled: 16)
        for index in 0..<64 where large.entries[index].current == nil { large.entries[index].current = record(1) }
        large.entries[0].held = (0..<64).map { record($0) }
        let bytes = large.bytes()
        #expect(bytes.count <= TailCheckpoint.sizeLimit)
        #expect(TailCheckpoint(bytes)?.entries.map(\.current) == large.entries.map(\.current))
        #expect(TailCheckpoint(bytes)?.entries[0].held == large.entries[0].held)
    }

    @Test func noDamagedByteAndNoCutIsTaken() {
        let bytes = checkpoint(paths: 3, held: 2, settled: 1).bytes()
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(TailCheckpoint(damaged) == nil)
            }
            #expect(TailCheckpoint(Array(bytes[..<index])) == nil)
        }
        #expect(TailCheckpoint(bytes + [0]) == nil)
    }

    @Test func anImpossiblePositionIsNotTaken() {
        for change: (inout FileRecord) -> Void in [
            { $0.offset = -1 }, { $0.offset = 10 }, { $0.seam = Fingerprint(hash: 1, length: 63) },
            { $0.head = Fingerprint(hash: 1, length: 1_025) },
        ] {
            var wrong = checkpoint(paths: 1, held: 0, settled: 0)
            if var record = wrong.entries[0].current {
                change(&record)
                wrong.entries[0].current = record
            }
            #expect(TailCheckpoint(wrong.bytes()) == nil)
        }
    }
}
