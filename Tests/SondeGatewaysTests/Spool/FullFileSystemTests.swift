import Foundation
import Glibc
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// A real file system of one MiB, mounted for a test.
private final class SmallFileSystem {
    let path: String

    init?() {
        path = FileManager.default.temporaryDirectory.appending(path: "sonde-tmpfs-\(UUID().uuidString)").path
        guard mkdir(path, 0o700) == 0 else { return nil }
        guard mount("none", path, "tmpfs", 0, "size=1m") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    static let isPossible = SmallFileSystem() != nil
}

@Suite(.enabled(if: SmallFileSystem.isPossible, "mounting needs root")) struct FullFileSystemTests {
    private func open(
        _ path: String,
        _ overflow: AgentSettings.OverflowPolicy,
        memoryBytes: Int64 = 1 << 20
    ) throws -> DiskSpool {
        var settings = DiskSpoolSettings(directory: "\(path)/spool", maxBytes: 64 << 20)
        settings.segmentBytes = 64 << 10
        settings.minFree = 0
        settings.overflow = overflow
        settings.memoryBytes = memoryBytes
        let spool = try DiskSpool(settings, clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(1))
        spool.addReader("a", .durable, wants: .metrics)
        return spool
    }

    @Test func theOldestGoAndEveryPointIsAccountedFor() throws {
        let fileSystem = try #require(SmallFileSystem())
        let spool = try open(fileSystem.path, .dropOldest)
        var lost: UInt64 = 0
        for first in stride(from: 1 as UInt64, to: 400_000, by: 1_000) {
            let losses = try #require(spool.append(first...(first + 999), at: SpoolFixture.instant))
            lost += losses.reduce(0) { $0 + $1.count }
        }
        #expect(lost > 0)
        let read = spool.drain("a", maxCount: 5_000)
        #expect(read.count + Int(lost) == 400_000)
        #expect(read.last == 400_000)
    }

    @Test func aSinkDrainsAFullFileSystemAndAppendsGoOn() throws {
        let fileSystem = try #require(SmallFileSystem())
        let spool = try open(fileSystem.path, .dropNewest)
        var next: UInt64 = 1
        while spool.take(next...(next + 999)) != nil { next += 1_000 }
        #expect(next > 10_000)
        #expect(spool.drain("a", maxCount: 5_000) == Array(1..<next))
        #expect(spool.take(next...(next + 999)) != nil)
    }

    @Test func theOnlySegmentGivesItsRoomBackThoughASinkHasItOpen() throws {
        let fileSystem = try #require(SmallFileSystem())
        let spool = try open(fileSystem.path, .dropOldest, memoryBytes: 0)
        spool.addReader("documents", .durable, wants: .snapshots)
        // One frame takes most of the room, so that it is the only segment and every other has to replace it.
        for round in 1...10 {
            let large = Document(
                schema: "s", time: Timestamp(seconds: Int64(round)), json: [UInt8](repeating: 0x20, count: 700_000))
            let (result, losses) = spool.append([], documents: [large], at: SpoolFixture.instant)
            guard case .taken = result else {
                Issue.record("the document of round \(round) was refused")
                return
            }
            #expect(losses.map(\.count) == (round == 1 ? [] : [1]))
            // The receiver is dead: what is cut stays under way, and its file open.
            _ = spool.cut(for: "documents", maxCount: 1, maxBytes: .max)
        }
        #expect(spool.takeFailures().map(\.code).filter { $0 != .spoolFull } == [])
    }

    @Test func segmentsFitAFileSystemThatIsSmallerThanTheBound() throws {
        let fileSystem = try #require(SmallFileSystem())
        var settings = DiskSpoolSettings(directory: "\(fileSystem.path)/spool", maxBytes: 256 << 20)
        settings.minFree = 0
        let spool = try DiskSpool(settings, clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(1))
        spool.addReader("a", .durable, wants: .metrics)
        spool.take(1...1_000)
        let stretch = try #require(spool.cut(for: "a", maxCount: 1_000, maxBytes: .max))
        for first in stride(from: 1_001 as UInt64, to: 400_000, by: 1_000) {
            let losses = try #require(spool.append(first...(first + 999), at: SpoolFixture.instant))
            #expect(losses.reduce(0) { $0 + $1.count } < 100_000)
        }
        // What is offered stays as it is while anything else can go.
        #expect(spool.read(stretch, for: "a").points.count == 1_000)
        #expect(try #require(spool.usage()).segments.count > 8)
    }
}
