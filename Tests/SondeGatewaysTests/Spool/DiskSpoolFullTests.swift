import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// A file system without room, under sinks whose receivers are well.
@Suite struct DiskSpoolFullTests {
    private func fill(_ fixture: SpoolFixture) { fixture.disk.quota = fixture.disk.usedBytes }

    /// A log with ten delivered points on a disk that is full from then on.
    private func fullDisk(_ overflow: AgentSettings.OverflowPolicy = .dropOldest) throws -> (SpoolFixture, DiskSpool) {
        var fixture = SpoolFixture()
        fixture.settings.overflow = overflow
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        #expect(spool.drain("a") == Array(1...10))
        fill(fixture)
        return (fixture, spool)
    }

    @Test(arguments: AgentSettings.OverflowPolicy.allCases)
    func aSinkThatIsWellGetsEveryPointWhileTheDiskIsFull(_ overflow: AgentSettings.OverflowPolicy) throws {
        let (_, spool) = try fullDisk(overflow)
        for first in stride(from: 11 as UInt64, to: 1_000, by: 10) {
            #expect(spool.take(first...(first + 9)) == Stretch(first: first, last: first + 9))
            if first % 50 == 1 { #expect(spool.drain("a").last == first + 9) }
        }
        #expect(spool.drain("a").last == 1_000)
        #expect(spool.takeLosses() == [])
        #expect(spool.takeFailures().map(\.code) == [.spoolFull])
        #expect(spool.isFull)
        #expect(spool.epoch == SpoolFixture.epoch(1))
    }

    @Test func whatMemoryHeldComesToTheDiskInOrderWhenThereIsRoom() throws {
        let (fixture, spool) = try fullDisk()
        for first in stride(from: 11 as UInt64, to: 200, by: 10) { spool.take(first...(first + 9)) }
        let offered = try #require(spool.cut(for: "a", maxCount: 25, maxBytes: .max))
        #expect(spool.numbers(in: offered, for: "a") == Array(11...35))
        fixture.disk.quota = nil
        spool.take(201...210)
        #expect(!spool.isFull)
        #expect(spool.numbers(in: offered, for: "a") == Array(11...35))
        spool.sync()
        #expect(spool.isSafe)
        fixture.disk.cutPower(keeping: .nothing)
        let again = try fixture.openWithReader()
        #expect(again.takeLosses() == [])
        #expect(again.cut(for: "a", maxCount: 5, maxBytes: .max) == offered)
        #expect(again.drain("a") == Array(11...210))
    }

    @Test func theThreadThatKeepsTheLogBringsItBackToo() throws {
        let (fixture, spool) = try fullDisk()
        spool.take(11...20)
        fixture.disk.quota = nil
        spool.sync()
        #expect(spool.isSafe && !spool.isFull)
        fixture.disk.killProcess()
        #expect(try fixture.openWithReader().drain("a") == Array(11...20))
    }

    @Test func aStartKnowsTheCursorsOfOneThatHadNoRoomForASegment() throws {
        var fixture = SpoolFixture()
        fixture.settings.synchronization = .none
        for start in 1...4 {
            let spool = try fixture.openWithReader(epoch: start)
            // It reads nothing, so that no segment goes.
            spool.addReader("slow", .durable, wants: .metrics)
            defer { fixture.disk.killProcess() }
            guard start > 1 else {
                spool.take(1...10)
                fill(fixture)
                continue
            }
            #expect(spool.takeFailures().map(\.code) == [.spoolFull])
            #expect(spool.takeLosses().filter { $0.component == "a" }.map(\.count) == (start == 2 ? [] : [10]))
            if start == 2 { #expect(spool.drain("a") == Array(1...10)) }
            let first = UInt64(start) * 20 - 29
            #expect(spool.take(first...(first + 19))?.first == first)
            let delivered = try #require(spool.cut(for: "a", maxCount: 10, maxBytes: .max))
            #expect(spool.numbers(in: delivered, for: "a") == Array(first...(first + 9)))
            spool.acknowledge(delivered, for: "a")
        }
    }

    @Test func whatAKilledAgentHeldInMemoryIsToldExactlyAndItsNumbersAreNotGivenAgain() throws {
        let (fixture, spool) = try fullDisk()
        for first in stride(from: 11 as UInt64, to: 60, by: 10) { spool.take(first...(first + 9)) }
        let delivered = try #require(spool.cut(for: "a", maxCount: 15, maxBytes: .max))
        spool.acknowledge(delivered, for: "a")
        fixture.disk.killProcess()
        fixture.disk.quota = nil
        let again = try fixture.openWithReader(epoch: 2)
        #expect(again.epoch == SpoolFixture.epoch(1))
        let losses = again.takeLosses()
        #expect(losses.map(\.reason) == ["spool_memory_lost"])
        #expect(losses.map(\.count) == [35])
        #expect(again.take(61...70)?.first == 61)
        #expect(again.drain("a") == Array(61...70))
        fixture.disk.killProcess()
        #expect(try fixture.openWithReader(epoch: 3).takeLosses() == [])
    }

    @Test(arguments: SimulatedFileSystem.PowerCut.allCases)
    func noNumberThatWasOfferedFromMemoryIsGivenAgainAfterAPowerCut(_ kept: SimulatedFileSystem.PowerCut) throws {
        let (fixture, spool) = try fullDisk()
        spool.take(11...30)
        let offered = try #require(spool.cut(for: "a", maxCount: 15, maxBytes: .max))
        fixture.disk.cutPower(keeping: kept)
        fixture.disk.quota = nil
        let again = try fixture.openWithReader(epoch: 2)
        #expect(try #require(again.take(100...100)).first > offered.last)
        #expect(try #require(again.takeLosses().first?.count) >= 15)
    }

    @Test(arguments: AgentSettings.OverflowPolicy.allCases)
    func memoryHasABoundAndWhatGivesWayIsCounted(_ overflow: AgentSettings.OverflowPolicy) throws {
        var fixture = SpoolFixture()
        fixture.settings.overflow = overflow
        fixture.settings.memoryBytes = 4_096
        let spool = try fixture.openWithReader()
        spool.take(1...10)
        _ = spool.drain("a")
        fill(fixture)
        var (lost, refused) = (UInt64(0), 0)
        for first in stride(from: 11 as UInt64, to: 400, by: 10) {
            guard let losses = spool.append(first...(first + 9), at: SpoolFixture.instant) else {
                refused += 10
                continue
            }
            lost += losses.reduce(0) { $0 + $1.count }
        }
        let read = spool.drain("a")
        #expect(read.count + Int(lost) + refused == 390)
        #expect(overflow == .dropOldest ? read.last == 400 && refused == 0 : read.first == 11 && lost == 0)
        fixture.disk.quota = nil
        spool.take(401...410)
        spool.sync()
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        #expect(again.takeLosses() == [])
        #expect(again.drain("a") == Array(401...410))
    }

    @Test func aDiskThatIsFullFromTheStartBlindsNobody() throws {
        let fixture = SpoolFixture()
        fixture.disk.quota = 0
        let spool = try fixture.openWithReader()
        #expect(spool.take(1...10) != nil)
        #expect(spool.drain("a") == Array(1...10))
        #expect(spool.take(11...30) != nil)
        let offered = try #require(spool.cut(for: "a", maxCount: 10, maxBytes: .max))
        fixture.disk.quota = nil
        spool.take(31...40)
        // The disk knows of the epoch from here on, and no cursor of what was offered.
        fixture.disk.killProcess()
        let again = try fixture.openWithReader(epoch: 2)
        #expect(try #require(again.take(100...100)).first > offered.last)
    }

    @Test func aSlowSinkAndAFastOneEachGetWhatTheyAreOwed() throws {
        let (fixture, spool) = try fullDisk()
        spool.addReader("b", .durable, wants: .metrics)
        spool.take(11...40)
        #expect(spool.drain("a") == Array(11...40))
        spool.take(41...50)
        #expect(spool.drain("a") == Array(41...50))
        fixture.disk.quota = nil
        spool.take(51...60)
        #expect(spool.drain("b") == Array(11...60))
        #expect(spool.drain("a") == Array(51...60))
        #expect(spool.takeLosses() == [])
    }

    @Test func aCheckpointThatWentThroughMemoryIsKeptOnceThereIsRoom() throws {
        let (fixture, spool) = try fullDisk()
        let checkpoint = SpoolCheckpoint(source: "log", bytes: [7])
        _ = spool.append([.numbered(11)], documents: [], checkpoint: checkpoint, at: SpoolFixture.instant)
        #expect(spool.checkpoint(of: "log") == [7])
        #expect(spool.drain("a") == [11])
        fixture.disk.quota = nil
        spool.take(12...13)
        fixture.disk.killProcess()
        #expect(try fixture.openWithReader().checkpoint(of: "log") == [7])
    }

    @Test func thatThereIsNoRoomIsOverAtOnceWhenThereIs() throws {
        let (fixture, spool) = try fullDisk()
        let ledger = LossLedger(log: RecordingLog())
        let keep = KeepSpool(spool: spool, ledger: ledger, clock: fixture.clock, log: RecordingLog())
        spool.take(11...20)
        _ = keep.run()
        #expect(keep.failures.map(\.error.code) == [.spoolFull])
        fixture.disk.quota = nil
        spool.take(21...30)
        #expect(keep.failures == [])
    }
}
