import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct DiskSpoolRestartTests {
    @Test func aKilledProcessLosesNothing() throws {
        let fixture = SpoolFixture()
        var spool: DiskSpool? = try fixture.openWithReader()
        spool?.take(1...25)
        fixture.disk.killProcess()
        spool = nil
        let again = try fixture.openWithReader()
        #expect(again.drain("a") == Array(1...25))
        #expect(again.takeLosses() == [])
    }

    @Test func afterARestartTheOldestIsWhatWaitsAndNotWhatItsSegmentBeganWith() throws {
        let fixture = SpoolFixture()
        var spool: DiskSpool? = try fixture.openWithReader()
        func take(_ number: UInt64) {
            var point = SpooledPoint.numbered(number)
            point.time = fixture.clock.wallTime
            _ = spool?.append([point], documents: [], at: fixture.clock.monotonicTime)
        }
        take(1)
        let read = try #require(spool?.cut(for: "a", maxCount: 10, maxBytes: .max))
        spool?.acknowledge(read, for: "a")
        fixture.clock.advance(by: .seconds(90))
        take(2)
        fixture.clock.advance(by: .seconds(3))
        func age(_ spool: DiskSpool) throws -> [Double] {
            let (clock, sink) = (fixture.clock, try #require(spool.usage()?.sinks.first))
            let listed = try #require(sink.oldest)
            return [
                clock.monotonicTime.since(try #require(spool.backlog(of: "a").oldest)).seconds,
                Nanoseconds(clock.wallTime.nanoseconds - listed.nanoseconds).seconds,
            ]
        }
        #expect(try age(try #require(spool)) == [3, 3])
        fixture.disk.killProcess()
        spool = nil
        fixture.clock.advance(by: .seconds(2))
        #expect(try age(try fixture.openWithReader()) == [5, 5])
    }

    @Test func theLogGoesOnUnderItsName() throws {
        let fixture = SpoolFixture()
        let first = try fixture.openWithReader(epoch: 1)
        let stretch = first.take(1...3)
        fixture.disk.killProcess()
        let second = try fixture.openWithReader(epoch: 2)
        #expect(second.epoch == SpoolFixture.epoch(1))
        #expect(second.take(4...4)?.first == (stretch?.last ?? 0) + 1)
    }

    @Test func withoutSyncEveryStartIsANewEpoch() throws {
        var fixture = SpoolFixture()
        fixture.settings.synchronization = .none
        #expect(try fixture.openWithReader(epoch: 1).epoch == SpoolFixture.epoch(1))
        fixture.disk.killProcess()
        #expect(try fixture.openWithReader(epoch: 2).epoch == SpoolFixture.epoch(2))
    }

    @Test(arguments: SimulatedFileSystem.PowerCut.allCases)
    func theStretchUnderWaySurvivesAPowerCut(kept: SimulatedFileSystem.PowerCut) throws {
        let fixture = SpoolFixture(seed: 7)
        let spool = try fixture.openWithReader()
        spool.take(1...40)
        let stretch = try #require(spool.cut(for: "a", maxCount: 30, maxBytes: .max))
        spool.take(41...50)
        fixture.disk.cutPower(keeping: kept)
        let again = try fixture.openWithReader()
        #expect(again.cut(for: "a", maxCount: 5, maxBytes: .max) == stretch)
        #expect(again.numbers(in: stretch, for: "a") == Array(1...30))
    }

    @Test func aShortenedStretchStaysShort() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.take(1...40)
        _ = spool.cut(for: "a", maxCount: 40, maxBytes: .max)
        let short = spool.shorten(for: "a", to: 10)
        fixture.disk.cutPower(keeping: .nothing)
        let again = try fixture.openWithReader()
        #expect(again.cut(for: "a", maxCount: 40, maxBytes: .max) == short)
    }

    @Test func everythingSyncedSurvivesAPowerCut() throws {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 1_000, by: 10) { spool.take(first...(first + 9)) }
        spool.sync()
        fixture.disk.cutPower(keeping: .nothing)
        #expect(try fixture.openWithReader().drain("a") == Array(1...1_000))
    }

    @Test func withSyncAlwaysEveryAppendSurvivesAPowerCut() throws {
        var fixture = SpoolFixture()
        fixture.settings.synchronization = .always
        let spool = try fixture.openWithReader()
        spool.take(1...5)
        spool.take(6...9)
        fixture.disk.cutPower(keeping: .nothing)
        #expect(try fixture.openWithReader().drain("a") == Array(1...9))
    }

    @Test func acknowledgedSegmentsAreRemoved() throws {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 1_000, by: 10) { spool.take(first...(first + 9)) }
        #expect(fixture.segments.count > 3)
        _ = spool.drain("a")
        #expect(fixture.segments.count == 1)
    }

    @Test func aCheckpointSurvivesWithItsPoints() throws {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        for number in 1...200 as ClosedRange<UInt64> {
            let checkpoint = SpoolCheckpoint(source: "log", bytes: Array(String(number).utf8))
            _ = spool.append([.numbered(number)], documents: [], checkpoint: checkpoint, at: SpoolFixture.instant)
        }
        // The segments that held the checkpoint go; the newest one's header keeps it.
        _ = spool.drain("a")
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        #expect(again.checkpoint(of: "log") == Array("200".utf8))
        #expect(again.checkpoint(of: "other") == nil)
        fixture.disk.killProcess()
        #expect(try fixture.open().checkpoint(of: "log") == Array("200".utf8))
    }

    @Test func aCheckpointWithoutPointsSurvives() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        let checkpoint = SpoolCheckpoint(source: "log", bytes: [1, 2, 3])
        let (result, _) = spool.append([], documents: [], checkpoint: checkpoint, at: SpoolFixture.instant)
        #expect(result == .taken(Stretch(first: 1, last: 0)))
        fixture.disk.killProcess()
        #expect(try fixture.open().checkpoint(of: "log") == [1, 2, 3])
    }

    @Test func sinksThatAreNoLongerConfiguredAreForgottenAndTold() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.addReader("gone", .durable, wants: .metrics)
        spool.take(1...10)
        _ = spool.drain("a")
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        let losses = again.retainReaders(["a"])
        #expect(losses.map(\.component) == ["gone"])
        #expect(losses.map(\.count) == [10])
        #expect(losses.map(\.reason) == ["sink_removed"])
        #expect(fixture.disk.paths.contains { $0.hasSuffix("gone.cur") } == false)
    }

    @Test func aSinkThatIsStillConfiguredIsKept() throws {
        let fixture = SpoolFixture()
        try fixture.openWithReader().take(1...10)
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        #expect(again.retainReaders(["a"]) == [])
        #expect(again.drain("a") == Array(1...10))
    }

    @Test func aSecondAgentIsRefused() throws {
        let fixture = SpoolFixture()
        let first = try fixture.open()
        #expect(throws: SondeError.self) { try fixture.open() }
        do {
            _ = try fixture.open()
        } catch {
            #expect(error.code == .spoolLocked)
            #expect(error.failureClass == .resource)
            #expect(error.message.contains("pid "))
        }
        _ = first.epoch
    }

    @Test func theLockGoesWithTheSpool() throws {
        let fixture = SpoolFixture()
        var first: DiskSpool? = try fixture.open()
        #expect(first?.epoch == SpoolFixture.epoch(1))
        first = nil
        _ = try fixture.open()
    }
}
