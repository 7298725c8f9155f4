import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// A disk that fails, under sinks whose receivers are well.
@Suite struct FailoverSpoolTests {
    private static let memoryEpoch = SpoolFixture.epoch(99)
    private let fixture = SpoolFixture()

    private func open(epoch: Int = 1) throws -> FailoverSpool {
        let spool = FailoverSpool(try fixture.open(epoch: epoch), clock: fixture.clock) {
            MemorySpool(epoch: Self.memoryEpoch, maxBytes: 1 << 20, overflow: .dropOldest)
        }
        spool.addReader("a", .durable, wants: .metrics)
        return spool
    }

    /// From now on the disk can only be read.
    private func breakDisk() {
        for call in SimulatedFileSystem.Call.allCases where call != .read && call != .open {
            fixture.disk.fail(call, with: FileSystemError.inputOutput, oneIn: 1)
        }
    }

    @discardableResult
    private func append(_ numbers: ClosedRange<UInt64>, to spool: FailoverSpool) -> AppendResult {
        spool.append(numbers.map { .numbered($0) }, documents: [], at: fixture.clock.monotonicTime).0
    }

    @Test func afterThirtySecondsWithoutAnAppendMemoryTakesOverUnderAnEpochOfItsOwn() throws {
        let spool = try open()
        spool.take(1...10)
        breakDisk()
        #expect(append(11...20, to: spool) == .failed)
        fixture.clock.advance(by: .seconds(29))
        #expect(append(21...30, to: spool) == .failed)
        fixture.clock.advance(by: .seconds(2))
        guard case .taken = append(31...40, to: spool) else {
            Issue.record("memory does not take over")
            return
        }
        #expect(spool.drain("a") == Array(31...40))
        #expect(spool.epoch(of: "a") == Self.memoryEpoch)
        #expect(spool.takeFailures().last?.code == .spoolFailed)
        #expect(!spool.isSettled && !spool.isDurable)
        // What is on the disk is delivered after the next start, under its old name.
        fixture.disk.killProcess()
        fixture.disk.heal()
        let again = try open(epoch: 2)
        #expect(again.epoch(of: "a") == SpoolFixture.epoch(1))
        #expect(again.drain("a") == Array(1...10))
    }

    @Test(arguments: SpoolStoreContract.Rule.allCases)
    func itKeepsTheContractOnADiskThatWorksAndInMemoryAfterOneThatFails(_ rule: SpoolStoreContract.Rule) throws {
        let disk = SpoolStoreContract { bytes, overflow in
            // Separate settings for each log that the contract makes.
            var settings = SpoolFixture().settings
            (settings.maxBytes, settings.overflow) = (bytes + (12 << 10), overflow)
            settings.segmentBytes = max(1 << 10, bytes / 16)
            let made = try? DiskSpool(
                settings, fileSystem: SimulatedFileSystem(), clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(1))
            return made.map { disk in
                FailoverSpool(disk, clock: ManualClock()) {
                    MemorySpool(epoch: Self.memoryEpoch, maxBytes: bytes, overflow: overflow)
                }
            } ?? MemorySpool(epoch: "none", maxBytes: 0, overflow: overflow)
        }
        try disk.check(rule)
        let memory = SpoolStoreContract { bytes, overflow in
            let (fixture, clock) = (SpoolFixture(), ManualClock())
            guard let disk = try? fixture.open() else {
                return MemorySpool(epoch: "none", maxBytes: 0, overflow: overflow)
            }
            let spool = FailoverSpool(disk, clock: clock) {
                MemorySpool(epoch: Self.memoryEpoch, maxBytes: bytes, overflow: overflow)
            }
            spool.addReader("gone", .durable, wants: .metrics)
            fixture.disk.fail(.write, with: FileSystemError.inputOutput, oneIn: 1)
            spool.append(1...1, at: clock.monotonicTime)
            clock.advance(by: .seconds(31))
            spool.append(1...1, at: clock.monotonicTime)
            spool.removeReader("gone")
            _ = spool.takeLosses()
            return spool
        }
        try memory.check(rule)
    }

    @Test func memoryThatTakesOverHasTheResourceOfTheDisk() throws {
        let spool = try open()
        let resource = Resource(host: "h", agentVersion: "2")
        spool.resource = resource
        breakDisk()
        #expect(append(1...5, to: spool) == .failed)
        fixture.clock.advance(by: .seconds(31))
        append(6...9, to: spool)
        let stretch = try #require(spool.cut(for: "a", maxCount: 10, maxBytes: .max))
        #expect(spool.epoch(of: "a") == Self.memoryEpoch)
        #expect(spool.read(stretch, for: "a").resource == resource)
    }

    @Test func aDiskThatTakesWritesAndSyncsNoneIsLeftToo() throws {
        let spool = try open()
        spool.take(1...10)
        fixture.disk.fail(.syncData, with: FileSystemError.inputOutput, oneIn: 1)
        for _ in 0..<30 {
            #expect(spool.cut(for: "a", maxCount: 10, maxBytes: .max) == nil)
            spool.take(11...11)
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(spool.cut(for: "a", maxCount: 10, maxBytes: .max) == nil)
        #expect(append(50...59, to: spool) == .taken(Stretch(first: 1, last: 10)))
        #expect(spool.drain("a") == Array(50...59))
    }

    @Test func aLogThatIsFullAndRefusesWhatIsNewHasNotFailed() throws {
        var fixture = fixture
        fixture.settings.overflow = .dropNewest
        let spool = FailoverSpool(try fixture.open(), clock: fixture.clock) {
            MemorySpool(epoch: Self.memoryEpoch, maxBytes: 1 << 20, overflow: .dropNewest)
        }
        spool.addReader("a", .durable, wants: .metrics)
        while spool.take(1...1_000) != nil {}
        for _ in 0..<40 {
            fixture.clock.advance(by: .seconds(1))
            #expect(append(1...1_000, to: spool) == .refused)
        }
        #expect(spool.isDurable)
        #expect(spool.epoch(of: "a") == SpoolFixture.epoch(1))
    }

    @Test func aSuccessBetweenFailuresKeepsTheDisk() throws {
        let spool = try open()
        for _ in 0..<5 {
            breakDisk()
            #expect(append(1...5, to: spool) == .failed)
            fixture.clock.advance(by: .seconds(20))
            fixture.disk.heal()
            #expect(append(6...9, to: spool) != .failed)
            #expect(spool.drain("a") == Array(6...9))
        }
        #expect(spool.isDurable)
        #expect(spool.epoch == SpoolFixture.epoch(1))
    }

    @Test func theStretchUnderWayEndsWhereItWasBegun() throws {
        let spool = try open()
        spool.take(1...10)
        let begun = try #require(spool.cut(for: "a", maxCount: 4, maxBytes: .max))
        breakDisk()
        _ = append(11...20, to: spool)
        fixture.clock.advance(by: .seconds(31))
        _ = append(21...30, to: spool)
        #expect(spool.epoch(of: "a") == SpoolFixture.epoch(1))
        #expect(spool.numbers(in: begun, for: "a") == Array(1...4))
        spool.acknowledge(begun, for: "a")
        #expect(spool.drain("a") == Array(21...30))
        #expect(spool.stranded(of: "a") == 6)
    }

    @Test func aFullDiskIsNoDiskThatFails() throws {
        var settings = fixture.settings
        settings.memoryBytes = 2_048
        settings.overflow = .dropNewest
        let disk = try DiskSpool(
            settings, fileSystem: fixture.disk, clock: fixture.clock, newEpoch: SpoolFixture.newEpoch(1))
        let spool = FailoverSpool(disk, clock: fixture.clock) {
            MemorySpool(epoch: Self.memoryEpoch, maxBytes: 1 << 20, overflow: .dropOldest)
        }
        spool.addReader("a", .durable, wants: .metrics)
        spool.take(1...10)
        fixture.disk.quota = fixture.disk.usedBytes
        for _ in 0..<60 {
            _ = append(11...20, to: spool)
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(append(11...20, to: spool) == .refused)
        #expect(spool.isDurable)
    }

    @Test func sinksThatComeAndGoAfterwardsAreServedFromMemory() throws {
        let spool = try open()
        breakDisk()
        _ = append(1...5, to: spool)
        fixture.clock.advance(by: .seconds(31))
        _ = append(6...9, to: spool)
        spool.addReader("late", .durable, wants: .metrics)
        _ = append(10...12, to: spool)
        #expect(spool.drain("late") == Array(10...12))
        spool.removeReader("a")
        #expect(spool.takeLosses().map(\.reason).contains("sink_removed"))
        #expect(spool.usage() == nil)
    }

    @Test func aFullDiskIsReportedWhileTheLogIsOnIt() throws {
        let disk = try fixture.open()
        let spool = FailoverSpool(disk, clock: fixture.clock) {
            MemorySpool(epoch: Self.memoryEpoch, maxBytes: 1 << 20, overflow: .dropOldest)
        }
        spool.addReader("a", .durable, wants: .metrics)
        spool.take(1...10)
        #expect(!spool.isFull)
        fixture.disk.quota = fixture.disk.usedBytes
        spool.take(11...20)
        #expect(spool.isFull)
        fixture.disk.quota = nil
        spool.take(21...30)
        #expect(!spool.isFull)
        breakDisk()
        #expect(append(31...40, to: spool) == .failed)
        fixture.clock.advance(by: .seconds(31))
        append(41...50, to: spool)
        #expect(spool.epoch == Self.memoryEpoch)
        fixture.disk.heal()
        disk.take(51...60)
        fixture.disk.quota = fixture.disk.usedBytes
        disk.take(61...70)
        #expect(disk.isFull)
        #expect(!spool.isFull)
    }

    @Test func whatIsAppendedOnceTheClockIsRightIsNotTooOldAtTheNextStart() throws {
        let wrong = Nanoseconds.seconds(50 * 365 * 86_400)
        fixture.clock.stepWall(by: wrong * -1)
        let spool = try open()
        spool.sync()
        fixture.clock.stepWall(by: wrong)
        spool.clockBecameRight()
        for first in [1, 4, 7] as [UInt64] {
            spool.take(first...(first + 2))
            // A segment each.
            spool.resource = Resource(agentVersion: "\(first)")
        }
        spool.sync()
        fixture.disk.killProcess()
        let again = try open(epoch: 2)
        again.take(10...12)
        for _ in 0..<2 { again.sync() }
        #expect(again.takeLosses().isEmpty)
        #expect(again.drain("a") == Array(1...12))
    }

    @Test func contentsAreThoseOfTheLogInUse() throws {
        let spool = try open()
        spool.take(1...10)
        #expect(spool.contents(from: 3, count: 2).points.compactMap(\.number) == [3, 4])
        breakDisk()
        #expect(append(11...20, to: spool) == .failed)
        fixture.clock.advance(by: .seconds(31))
        #expect(append(21...30, to: spool) == .taken(Stretch(first: 1, last: 10)))
        #expect(spool.contents(from: 3, count: 2).points.compactMap(\.number) == [23, 24])
    }
}
