import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct DiskSpoolFaultTests {
    @Test func shortWritesAreCompleted() throws {
        let fixture = SpoolFixture()
        fixture.disk.shortWriteOneIn = 1
        let spool = try fixture.openWithReader()
        spool.take(1...300)
        #expect(spool.drain("a") == Array(1...300))
    }

    @Test func aFullFileSystemLetsTheOldestGoAndLeavesNoHalfFrame() throws {
        var fixture = SpoolFixture(maxBytes: 1 << 20, segmentBytes: 2_048)
        fixture.settings.memoryBytes = 0
        let spool = try fixture.openWithReader()
        fixture.disk.quota = 20_000
        var lost: UInt64 = 0
        for first in stride(from: 1 as UInt64, to: 20_000, by: 10) {
            let losses = try #require(spool.append(first...(first + 9), at: SpoolFixture.instant))
            lost += losses.reduce(0) { $0 + $1.count }
        }
        #expect(lost > 0)
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        let read = again.drain("a")
        #expect(read.last == 20_000)
        #expect(read.count + Int(lost) == 20_000)
        #expect(again.takeLosses() == [])
    }

    @Test func aSinkDrainsWhileTheFileSystemIsFull() throws {
        var fixture = SpoolFixture(maxBytes: 1 << 20, segmentBytes: 2_048)
        fixture.settings.overflow = .dropNewest
        let spool = try fixture.openWithReader()
        fixture.disk.quota = 16_384
        var next: UInt64 = 1
        while spool.take(next...(next + 9)) != nil { next += 10 }
        #expect(spool.takeFailures().map(\.code) == [] || next > 1)
        #expect(fixture.disk.usedBytes <= 16_384)
        #expect(spool.drain("a") == Array(1..<next))
        #expect(spool.take(next...(next + 9)) != nil)
    }

    @Test func aFileSystemThatIsFullWhenASegmentIsMadeLeavesNoHalfFile() throws {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        spool.take(1...300)
        let before = fixture.segments
        // The next frame needs a new segment, of whose header only a part fits.
        fixture.disk.quota = fixture.disk.usedBytes + 20
        fixture.settings.minFree.map { #expect($0 == 0) }
        _ = spool.take(301...302)
        #expect(fixture.segments.allSatisfy { before.contains($0) || fixture.disk.contents(of: $0)?.count ?? 0 > 100 })
        fixture.disk.quota = nil
        #expect(spool.take(303...304) != nil)
    }

    @Test func afterAFailedSyncTheFramesAreWrittenToANewFile() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        spool.sync()
        spool.take(11...20)
        fixture.disk.fail(.syncData, with: FileSystemError.inputOutput)
        spool.sync()
        #expect(spool.takeFailures().map(\.code) == [.spoolWriteFailed])
        fixture.disk.cutPower(keeping: .nothing)
        #expect(try fixture.openWithReader().drain("a") == Array(1...20))
    }

    @Test func aRemovedStateDirectoryIsMadeAgainToo() throws {
        var fixture = SpoolFixture()
        fixture.settings.directory = "/state/spool"
        try fixture.disk.makeDirectory("/state")
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        spool.sync()
        fixture.disk.removeTree("/state")
        spool.sync()
        spool.take(11...20)
        spool.sync()
        fixture.disk.killProcess()
        #expect(try fixture.openWithReader().drain("a").suffix(10) == Array(11...20))
    }

    @Test func aFailureThatGoesOnKeepsTheLogUnsettled() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        fixture.disk.fail(.write, with: FileSystemError.noSpace, oneIn: 1)
        #expect(spool.take(1...10) == nil)
        #expect(spool.takeFailures().map(\.code) == [.spoolFull])
        #expect(!spool.isSettled)
        fixture.disk.heal()
        spool.take(1...10)
        spool.sync()
        #expect(spool.isSettled)
    }

    @Test func aSegmentThatGivesWayWhileItIsWrittenAgainStaysGone() throws {
        let fixture = SpoolFixture(maxBytes: 16 << 10, segmentBytes: 1_024)
        let system = RenameWatcher(fixture.disk)
        let spool = try DiskSpool(
            fixture.settings, fileSystem: system, clock: fixture.clock, newEpoch: SpoolFixture.newEpoch(1))
        spool.addReader("a", .live, wants: .metrics)
        for first in stride(from: 1 as UInt64, to: 200, by: 10) { spool.take(first...(first + 9)) }
        let sealed = try #require(fixture.segments.first)
        fixture.disk.fail(.syncData, with: FileSystemError.inputOutput, oneIn: 1)
        spool.sync()
        fixture.disk.heal()
        system.beforeRename {
            _ = spool.drain("a")
            for first in 20...2_000 as ClosedRange<UInt64> { spool.take((first * 10)...(first * 10 + 9)) }
        }
        spool.sync()
        #expect(!fixture.segments.contains(sealed))
    }

    @Test func aFailureThatWaitsToBeToldKeepsTheLogUnsettled() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.sync()
        spool.take(1...10)
        fixture.disk.fail(.syncData, with: FileSystemError.inputOutput)
        spool.sync()
        spool.sync()
        #expect(spool.isSafe)
        #expect(!spool.isSettled)
        #expect(!spool.takeFailures().isEmpty)
        #expect(spool.isSettled)
    }

    @Test func afterAFailedFirstSyncNothingIsLost() throws {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 500, by: 10) { spool.take(first...(first + 9)) }
        fixture.disk.fail(.syncData, with: FileSystemError.inputOutput, times: 3)
        spool.sync()
        spool.sync()
        fixture.disk.cutPower(keeping: .nothing)
        #expect(try fixture.openWithReader().drain("a") == Array(1...500))
    }

    @Test func aStretchThatCannotBeMadeSafeIsNotHandedOut() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        fixture.disk.fail(.syncData, with: FileSystemError.inputOutput, oneIn: 1)
        #expect(spool.cut(for: "a", maxCount: 10, maxBytes: .max) == nil)
        fixture.disk.heal()
        #expect(spool.drain("a") == Array(1...10))
    }

    @Test func onlyTheSafePartOfAStretchIsHandedOutWhileTheDiskFails() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        spool.sync()
        spool.take(11...20)
        fixture.disk.fail(.create, with: FileSystemError.inputOutput, oneIn: 1)
        fixture.disk.fail(.syncData, with: FileSystemError.inputOutput)
        #expect(spool.cut(for: "a", maxCount: 20, maxBytes: .max) == Stretch(first: 1, last: 10))
    }

    @Test func aFailedWriteIsTriedInANewSegment() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        fixture.disk.fail(.write, with: FileSystemError.inputOutput)
        #expect(spool.take(11...20) != nil)
        #expect(fixture.segments.count == 2)
        #expect(spool.drain("a") == Array(1...20))
    }

    @Test func aDiskThatTakesNothingRefusesAndSaysItOnce() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        fixture.disk.fail(.write, with: FileSystemError.inputOutput, oneIn: 1)
        #expect(spool.take(1...10) == nil)
        #expect(spool.take(1...10) == nil)
        #expect(spool.takeFailures().map(\.code) == [.spoolWriteFailed])
        fixture.disk.heal()
        #expect(spool.take(1...10) != nil)
        #expect(spool.drain("a") == Array(1...10))
    }

    @Test func aReadOnlyFolderIsAnErrorAtTheStart() throws {
        let fixture = SpoolFixture()
        try fixture.openWithReader().take(1...3)
        fixture.disk.killProcess()
        fixture.disk.fail(.create, with: FileSystemError.readOnly, oneIn: 1)
        fixture.disk.fail(.open, with: FileSystemError.readOnly, oneIn: 1)
        do {
            _ = try fixture.open()
            Issue.record("it opened")
        } catch {
            #expect(error.code == .spoolUnusable)
            #expect(error.failureClass == .unsafeStorage)
        }
    }

    @Test func aRemovedFolderIsMadeAgain() throws {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 500, by: 10) { spool.take(first...(first + 9)) }
        fixture.disk.removeTree(SpoolFixture.directory)
        spool.sync()
        #expect(spool.takeFailures().contains { $0.code == .spoolDirectoryGone })
        spool.take(501...510)
        let told = spool.takeLosses().reduce(0) { $0 + ($1.count ?? 0) }
        let read = spool.drain("a")
        #expect(read.count + Int(told) == 510)
        #expect(read.last == 510)
        fixture.disk.killProcess()
        #expect(try fixture.openWithReader().backlog(of: "a").count == 0)
    }

    @Test func aFrameThatCanNeverFitIsRejectedAlone() throws {
        let fixture = SpoolFixture(maxBytes: 64 << 10, segmentBytes: 8 << 10)
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        let large = Document(schema: "s", time: Timestamp(seconds: 1), json: [UInt8](repeating: 0x20, count: 60_000))
        spool.addReader("documents", .durable, wants: .snapshots)
        let (result, losses) = spool.append(
            [.numbered(11)], documents: [large], at: SpoolFixture.instant)
        #expect(result == .taken(Stretch(first: 11, last: 10)))
        #expect(losses.map(\.sink) == ["a", "documents"])
        #expect(losses.map(\.count) == [1, 1])
        spool.take(12...20)
        #expect(spool.drain("a") == Array(1...10) + Array(12...20))
    }

    @Test func aLowerBoundThanBeforeTrimsTheOldestAndCountsThem() throws {
        var fixture = SpoolFixture(maxBytes: 1 << 20, segmentBytes: 4_096)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 30_000, by: 10) { spool.take(first...(first + 9)) }
        fixture.disk.killProcess()
        fixture.settings.maxBytes = 48 << 10
        let again = try fixture.openWithReader()
        again.sync()
        let (_, losses) = again.append([.numbered(30_001)], documents: [], at: SpoolFixture.instant)
        let lost = losses.reduce(0) { $0 + $1.count } + again.takeLosses().reduce(0) { $0 + ($1.count ?? 0) }
        #expect(lost > 0)
        #expect(fixture.disk.usedBytes <= 48 << 10)
        let read = again.drain("a")
        #expect(read.count + Int(lost) == 30_001)
        #expect(read == Array((lost + 1)...30_001))
    }

    @Test func whatIsTooOldGivesWayAndIsTold() throws {
        var fixture = SpoolFixture()
        fixture.settings.maxAge = .seconds(3_600)
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        fixture.clock.advance(by: .seconds(600))
        spool.sync()
        spool.take(11...20)
        fixture.clock.advance(by: .seconds(3_100))
        spool.sync()
        #expect(spool.takeLosses() == [])
        fixture.clock.advance(by: .seconds(1_000))
        spool.sync()
        #expect(spool.takeLosses().map(\.reason) == ["spool_expired"])
        #expect(spool.drain("a") == Array(11...20))
    }

    @Test func aStepOfTheWallClockAgesNothing() throws {
        var fixture = SpoolFixture()
        fixture.settings.maxAge = .seconds(3_600)
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        fixture.clock.stepWall(by: .seconds(100 * 86_400))
        spool.sync()
        spool.take(11...20)
        spool.sync()
        #expect(spool.takeLosses() == [])
        #expect(spool.drain("a") == Array(1...20))
    }

    @Test(arguments: AgentSettings.OverflowPolicy.allCases)
    func theRoomThatIsLeftToOthersIsToldWhenItIsReached(_ overflow: AgentSettings.OverflowPolicy) throws {
        var fixture = SpoolFixture(maxBytes: 1 << 20, segmentBytes: 2_048)
        fixture.settings.minFree = 8_192
        fixture.settings.overflow = overflow
        fixture.disk.quota = 20_000
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        #expect(spool.takeFailures() == [])
        for first in stride(from: 11 as UInt64, to: 5_000, by: 10) { spool.take(first...(first + 9)) }
        let told = spool.takeFailures()
        #expect(Set(told.map(\.code)) == [.spoolFull])
        #expect(told.first?.message.contains("agent.spool.min_free") == true)
        if overflow == .dropNewest { #expect(told.count == 1) }
        // The room is asked for now and then: the cursor was made after that.
        #expect(fixture.disk.usedBytes <= 20_000 - 8_192 + CursorSlot.fileLength)
    }

    @Test func theBoundOfTheLogItselfIsNoFailure() throws {
        let fixture = SpoolFixture(maxBytes: 20_000, segmentBytes: 2_048)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 20_000, by: 10) { spool.take(first...(first + 9)) }
        #expect(spool.takeFailures() == [])
        #expect(try #require(spool.drain("a").first) > 1)
    }
}
