import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct DiskSpoolStartTests {
    /// A log of several segments, as a killed process leaves it.
    private func longLog() throws -> SpoolFixture {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 300, by: 10) { spool.take(first...(first + 9)) }
        fixture.disk.killProcess()
        return fixture
    }

    /// Opens as often as it takes: a start may fail, but then it has changed and reported nothing.
    private func openPatiently(_ fixture: SpoolFixture) throws -> DiskSpool {
        if let spool = try? fixture.openWithReader() { return spool }
        fixture.disk.killProcess()
        fixture.disk.heal()
        return try fixture.openWithReader()
    }

    @Test(arguments: [.open, .read, .create, .write, .rename, .syncData] as [SimulatedFileSystem.Call])
    func aPassingErrorAtTheStartCostsNothing(_ call: SimulatedFileSystem.Call) throws {
        for skipped in 0..<24 {
            let fixture = try longLog()
            fixture.disk.fail(call, with: FileSystemError.inputOutput, skipping: skipped, times: 2)
            let spool = try openPatiently(fixture)
            fixture.disk.heal()
            #expect(spool.takeLosses() == [], "\(call) after \(skipped)")
            spool.take(301...301)
            #expect(spool.drain("a") == Array(1...301), "\(call) after \(skipped)")
        }
    }

    @Test(arguments: 0..<20)
    func aPassingErrorWhileASinkReadsCostsNothing(_ skipped: Int) throws {
        let spool = try longLog().openWithReader()
        let fixture = try longLog()
        let reading = try fixture.openWithReader()
        fixture.disk.fail(.read, with: FileSystemError.inputOutput, skipping: skipped, times: 2)
        #expect(reading.drain("a") == spool.drain("a"))
        #expect(reading.takeLosses() == [])
    }

    @Test(arguments: [0, 1, 7, 12])
    func aStartReadsOnlyTheNewestSegmentAndKnowsTheAgeOfWhatWaitsInAnother(_ frames: Int) throws {
        let fixture = SpoolFixture(maxBytes: 8 << 20, segmentBytes: 256 << 10)
        let clock = fixture.clock
        var spool: DiskSpool? = try fixture.open()
        spool?.addReader("a", .durable, wants: [.metrics, .snapshots])
        while fixture.segments.count == 1 {
            clock.advance(by: .seconds(1))
            var point = SpooledPoint.numbered(1)
            point.time = clock.wallTime
            let long = Document(schema: "test", time: clock.wallTime, json: [UInt8](repeating: 0x20, count: 16 << 10))
            _ = spool?.append([point], documents: [long], at: clock.monotonicTime)
            let checkpoint = SpoolCheckpoint(source: "log", bytes: [7])
            _ = spool?.append([], documents: [], checkpoint: checkpoint, at: clock.monotonicTime)
        }
        for _ in 0..<frames {
            let read = try #require(spool?.cut(for: "a", maxCount: 2, maxBytes: .max))
            spool?.acknowledge(read, for: "a")
        }
        let segment = try #require(fixture.segments.first.flatMap { fixture.disk.contents(of: $0) })
        let age = try clock.monotonicTime.since(#require(spool?.backlog(of: "a").oldest))
        fixture.disk.killProcess()
        spool = nil
        let before = fixture.disk.readBytes
        let again = try fixture.openWithReader()
        #expect(fixture.disk.readBytes - before < segment.count * 2 / 3)
        #expect(try clock.monotonicTime.since(#require(again.backlog(of: "a").oldest)) == age)
    }

    @Test func whatAFailedStartHasFoundIsToldByTheNextOne() throws {
        let fixture = try longLog()
        let path = try #require(fixture.segments.last)
        var bytes = try #require(fixture.disk.contents(of: path))
        bytes[bytes.count - 3] ^= 0xff
        fixture.disk.setContents(of: path, bytes)
        let before = fixture.disk.paths
        fixture.disk.fail(.create, with: FileSystemError.inputOutput, oneIn: 1)
        #expect(throws: SondeError.self) { try fixture.open() }
        #expect(fixture.disk.paths == before)
        #expect(fixture.disk.contents(of: path) == bytes)
        fixture.disk.heal()
        let spool = try fixture.openWithReader()
        #expect(spool.takeFailures().map(\.code) == [.spoolDamaged])
        #expect(spool.takeLosses().map(\.component) == ["a"])
        #expect(fixture.disk.paths.contains { $0.hasPrefix("/spool/quarantine/") })
    }

    @Test func theEndOfTheLogThatCannotBeReadIsSetAsideAndItsNumbersAreNotGivenAgain() throws {
        let fixture = try longLog()
        fixture.disk.fail(.read, with: FileSystemError.inputOutput, oneIn: 1)
        let spool = try fixture.openWithReader(epoch: 2)
        fixture.disk.heal()
        #expect(spool.takeLosses().contains { $0.component == "a" && $0.count == nil })
        let stretch = try #require(spool.take(2_000...2_009))
        #expect(stretch.first > 300)
        #expect(spool.drain("a") == Array(2_000...2_009))
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        #expect(again.drain("a") == [])
        #expect(again.takeLosses() == [])
    }

    @Test(arguments: SimulatedFileSystem.PowerCut.allCases)
    func whatWasSetAsideDoesNotComeBackUnderNumbersThatWereGivenAgain(_ kept: SimulatedFileSystem.PowerCut) throws {
        for skipped in 0..<24 {
            let fixture = try longLog()
            fixture.disk.fail(.read, with: FileSystemError.inputOutput, skipping: skipped, times: 9)
            let spool = try fixture.openWithReader(epoch: 2)
            fixture.disk.heal()
            let told = spool.takeLosses().reduce(0) { $0 + ($1.count ?? 0) }
            #expect(try #require(spool.take(2_000...2_009)).first > 300)
            spool.sync()
            fixture.disk.cutPower(keeping: kept)
            let read = try fixture.openWithReader(epoch: 3).drain("a")
            #expect(read.suffix(10) == Array(2_000...2_009)[...])
            #expect(read == read.sorted() && Set(read).count == read.count)
            #expect(read.count - 10 + Int(told) <= 300, "after \(skipped) reads")
        }
    }

    @Test func aLostSegmentIsToldToASinkWhoseCursorIsLostToo() throws {
        let fixture = try longLog()
        let path = try #require(fixture.segments.first)
        var bytes = try #require(fixture.disk.contents(of: path))
        bytes[30] ^= 0xff
        fixture.disk.setContents(of: path, bytes)
        fixture.disk.setContents(of: "/spool/a.cur", [UInt8](repeating: 0, count: CursorSlot.fileLength))
        let spool = try fixture.openWithReader(epoch: 2)
        let told = spool.takeLosses().reduce(0) { $0 + ($1.count ?? 0) }
        #expect(told > 0)
        #expect(spool.drain("a").count + Int(told) == 300)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func aCheckpointOutlivesTheSegmentsThatHeldIt(_ seed: UInt64) throws {
        let fixture = SpoolFixture(seed: seed, segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        let checkpoint = SpoolCheckpoint(source: "log", bytes: [7])
        _ = spool.append([.numbered(1)], documents: [], checkpoint: checkpoint, at: SpoolFixture.instant)
        let stretch = try #require(spool.cut(for: "a", maxCount: 10, maxBytes: .max))
        // The next segment is not synced when the first one has been read.
        spool.take(2...400)
        #expect(fixture.segments.count == 2)
        spool.acknowledge(stretch, for: "a")
        fixture.disk.cutPower(keeping: .anything)
        #expect(try fixture.open().checkpoint(of: "log") == [7])
    }

    @Test func aFailedStartKeepsTheCheckpoints() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        let checkpoint = SpoolCheckpoint(source: "log", bytes: [7])
        _ = spool.append([], documents: [], checkpoint: checkpoint, at: SpoolFixture.instant)
        fixture.disk.killProcess()
        _ = try fixture.open()
        fixture.disk.killProcess()
        for call in [.create, .write, .syncData, .rename] as [SimulatedFileSystem.Call] {
            fixture.disk.fail(call, with: FileSystemError.inputOutput, oneIn: 1)
            _ = try? fixture.open()
            fixture.disk.killProcess()
            fixture.disk.heal()
        }
        #expect(try fixture.open().checkpoint(of: "log") == [7])
    }
}
