import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct DiskSpoolDamageTests {
    /// A small log of some frames in one segment, as a killed process leaves it.
    private func smallLog() throws -> (fixture: SpoolFixture, segment: String, bytes: [UInt8]) {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, through: 61, by: 10) { spool.take(first...(first + 9)) }
        fixture.disk.killProcess()
        let segment = try #require(fixture.segments.first)
        return (fixture, segment, try #require(fixture.disk.contents(of: segment)))
    }

    @Test func cutAtEveryByteTheNewestSegmentKeepsItsFirstFramesAndTakesMore() throws {
        let (original, segment, bytes) = try smallLog()
        let cursor = try #require(original.disk.contents(of: "/spool/a.cur"))
        for length in 0..<bytes.count {
            let fixture = SpoolFixture()
            _ = try fixture.open()
            fixture.disk.killProcess()
            try plant(fixture, [(segment, Array(bytes[..<length])), ("/spool/a.cur", cursor)])
            let spool = try fixture.openWithReader()
            let taken = try #require(spool.take(1_000...1_000))
            let read = spool.drain("a")
            let kept = read.dropLast()
            #expect(Array(kept) == Array((1...70).prefix(kept.count)), "cut at \(length)")
            #expect(kept.count.isMultiple(of: 10) && read.last == 1_000, "cut at \(length)")
            #expect(taken.first > UInt64(kept.count))
        }
    }

    @Test func withABitFlippedAtAnyByteNoWrongPointComesOut() throws {
        let (original, segment, bytes) = try smallLog()
        let cursor = try #require(original.disk.contents(of: "/spool/a.cur"))
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << UInt8(index % 8)
            let fixture = SpoolFixture()
            _ = try fixture.open()
            fixture.disk.killProcess()
            try plant(fixture, [(segment, damaged), ("/spool/a.cur", cursor)])
            let spool = try fixture.openWithReader()
            spool.take(1_000...1_000)
            let read = spool.drain("a")
            let kept = read.dropLast()
            #expect(Array(kept) == Array((1...70).prefix(kept.count)), "flipped at \(index)")
            #expect(read.last == 1_000, "flipped at \(index)")
        }
    }

    @Test func withABitFlippedInAnyByteOfACursorEverythingIsOfferedAtMostAgain() throws {
        let (original, segment, bytes) = try smallLog()
        let cursor = try #require(original.disk.contents(of: "/spool/a.cur"))
        for index in 0..<64 {
            var damaged = cursor
            damaged[index] ^= 0x10
            damaged[CursorSlot.stride + index] ^= 0x10
            let fixture = SpoolFixture()
            _ = try fixture.open()
            fixture.disk.killProcess()
            try plant(fixture, [(segment, bytes), ("/spool/a.cur", damaged)])
            let spool = try fixture.openWithReader()
            #expect(spool.drain("a") == Array(1...70), "flipped at \(index)")
        }
    }

    private func plant(_ fixture: SpoolFixture, _ files: [(path: String, bytes: [UInt8])]) throws {
        for path in fixture.segments { try fixture.disk.unlink(path) }
        for (path, bytes) in files {
            _ = try fixture.disk.open(path, .openOrCreate)
            fixture.disk.setContents(of: path, bytes)
        }
    }

    /// A log of several segments.
    private func longLog() throws -> SpoolFixture {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 1_000, by: 10) { spool.take(first...(first + 9)) }
        fixture.disk.killProcess()
        #expect(fixture.segments.count > 4)
        return fixture
    }

    @Test func aDamagedMiddleSegmentIsSetAsideAndTheRestIsDelivered() throws {
        let fixture = try longLog()
        let path = fixture.segments[2]
        var bytes = try #require(fixture.disk.contents(of: path))
        bytes[bytes.count / 2] ^= 0xff
        fixture.disk.setContents(of: path, bytes)
        let spool = try fixture.openWithReader()
        let read = spool.drain("a")
        let lost = spool.takeLosses()
        #expect(lost.map(\.reason) == ["spool_damaged"])
        #expect(read == read.sorted() && read.last == 1_000)
        #expect(read.count + Int(lost.first?.count ?? 0) == 1_000)
        #expect(fixture.disk.paths.contains { $0.hasPrefix("/spool/quarantine/") })
        #expect(spool.takeFailures().map(\.code) == [.spoolDamaged])
    }

    @Test func aLossThatWasToldIsNotToldAgainAfterARestart() throws {
        let fixture = try longLog()
        try fixture.disk.unlink(fixture.segments[1])
        let spool = try fixture.openWithReader()
        #expect(spool.takeLosses().count == 1)
        // The ledger travels with the first commit; a loss that was reported before that is reported again.
        spool.take(1_001...1_001)
        spool.sync()
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        #expect(again.takeLosses() == [])
    }

    @Test func aMissingMiddleSegmentIsALossOfExactlyItsPoints() throws {
        let fixture = try longLog()
        try fixture.disk.unlink(fixture.segments[1])
        let spool = try fixture.openWithReader()
        let lost = try #require(spool.takeLosses().first?.count)
        #expect(lost > 0)
        #expect(spool.drain("a").count + Int(lost) == 1_000)
    }

    @Test func aSegmentOfALaterVersionAmongOthersIsKeptWholeInTheQuarantine() throws {
        let fixture = try longLog()
        let path = fixture.segments[1]
        var bytes = try #require(fixture.disk.contents(of: path))
        bytes[8] = 9
        fixture.disk.setContents(of: path, bytes)
        let spool = try fixture.openWithReader()
        let name = path.dropFirst("/spool/".count)
        #expect(fixture.disk.contents(of: "/spool/quarantine/\(name).0") == bytes)
        #expect(spool.takeFailures().map(\.code) == [.spoolDamaged])
        #expect(spool.takeLosses().count == 1)
    }

    @Test func aCursorAheadOfTheLogIsNeverPulledBack() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        _ = spool.drain("a")
        fixture.disk.killProcess()
        for path in fixture.segments { try fixture.disk.unlink(path) }
        let again = try fixture.openWithReader(epoch: 2)
        #expect(again.epoch == SpoolFixture.epoch(2))
        #expect(again.take(1...1)?.first == 11)
    }

    @Test func theQuarantineIsBounded() throws {
        var fixture = SpoolFixture(maxBytes: 256 << 10, segmentBytes: 8 << 10)
        fixture.settings.maxBytes = 256 << 10
        for round in 0..<20 {
            let spool = try fixture.openWithReader()
            for first in stride(from: 1 as UInt64, to: 4_000, by: 100) { spool.take(first...(first + 99)) }
            fixture.disk.killProcess()
            let path = try #require(fixture.segments.last)
            var bytes = try #require(fixture.disk.contents(of: path))
            bytes[min(bytes.count - 1, 300 + round)] ^= 1
            fixture.disk.setContents(of: path, bytes)
        }
        _ = try fixture.openWithReader()
        let kept = fixture.disk.paths.filter { $0.hasPrefix("/spool/quarantine/") }
            .reduce(0) { $0 + (fixture.disk.contents(of: $1)?.count ?? 0) }
        #expect(kept > 0)
        #expect(kept <= 32 << 10)
    }
}
