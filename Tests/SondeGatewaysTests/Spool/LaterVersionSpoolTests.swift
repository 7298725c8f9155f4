import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// An agent that was replaced by an earlier one finds a spool that it cannot read.
@Suite struct LaterVersionSpoolTests {
    /// A spool with fifty points that wait, whose newest segment says version 9.
    private func laterSpool() throws -> (SpoolFixture, files: [String: [UInt8]]) {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        spool.take(1...50)
        let stretch = try #require(spool.cut(for: "a", maxCount: 10, maxBytes: .max))
        spool.acknowledge(stretch, for: "a")
        spool.sync()
        fixture.disk.killProcess()
        try setVersion(9, fixture)
        return (fixture, files(of: "/spool/", fixture))
    }

    private func setVersion(_ version: UInt8, _ fixture: SpoolFixture) throws {
        let path = try #require(fixture.segments.last)
        var bytes = try #require(fixture.disk.contents(of: path))
        bytes[8] = version
        fixture.disk.setContents(of: path, bytes)
    }

    /// The files of a folder but the lock, by name.
    private func files(of folder: String, _ fixture: SpoolFixture) -> [String: [UInt8]] {
        let names = fixture.disk.paths.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
        let pairs = names.filter { $0 != "LOCK" }.map { ($0, fixture.disk.contents(of: folder + $0) ?? []) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func itIsSetAsideWithoutAChangeAndANewOneBegins() throws {
        let (fixture, before) = try laterSpool()
        let spool = try fixture.openWithReader(epoch: 2)
        #expect(before.count > 2)
        #expect(files(of: "/spool.v9/", fixture) == before)
        #expect(spool.epoch == SpoolFixture.epoch(2))
        let failures = spool.takeFailures()
        #expect(failures.map(\.code) == [.spoolVersionUnknown])
        let found = "its format is version 9, and this agent knows 1"
        #expect(failures.first?.message == "the spool '/spool': \(found); it was set aside as '/spool.v9'")
        #expect(failures.first?.recovery.isEmpty == false)
        // Nothing of it is lost yet.
        #expect(spool.takeLosses() == [])
        spool.take(1_000...1_001)
        #expect(spool.drain("a") == [1_000, 1_001])
    }

    @Test func theLaterVersionDeliversAllThatWaitedOnceTheFolderHasItsNameBack() throws {
        let (fixture, _) = try laterSpool()
        _ = try fixture.openWithReader(epoch: 2)
        fixture.disk.killProcess()
        fixture.disk.removeTree("/spool")
        try fixture.disk.rename("/spool.v9", to: "/spool")
        // The later version, as far as a version can be had that reads this one.
        try setVersion(UInt8(SegmentHeader.version), fixture)
        let spool = try fixture.openWithReader(epoch: 3)
        #expect(spool.drain("a") == Array(11...50))
        #expect(spool.takeLosses() == [])
    }

    @Test func aSecondOneIsLeftWhereItIs() throws {
        let (fixture, before) = try laterSpool()
        _ = try fixture.openWithReader(epoch: 2)
        fixture.disk.killProcess()
        try setVersion(9, fixture)
        let second = files(of: "/spool/", fixture)
        let error = #expect(throws: SondeError.self) { try fixture.open(epoch: 3) }
        #expect(error?.code == .spoolVersionUnknown)
        #expect(error?.message.contains("cannot be set aside as '/spool.v9'") == true)
        #expect(files(of: "/spool/", fixture) == second)
        #expect(files(of: "/spool.v9/", fixture) == before)
    }

    @Test func onARealDiskItKeepsEveryByte() throws {
        let directory = try SpoolDirectory()
        let settings = DiskSpoolSettings(directory: "\(directory.path)/spool", maxBytes: 1 << 20)
        let segment = "\(settings.directory)/0000000000000001.seg"
        do {
            let spool = try DiskSpool(settings, clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(1))
            spool.addReader("a", .durable, wants: .metrics)
            spool.take(1...5)
        }
        let file = try PosixFileSystem().open(segment, .update)
        try file.writeWhole([9], at: 8)
        let bytes = try file.readWhole(Int(file.size()), at: 0)
        let spool = try DiskSpool(settings, clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(2))
        #expect(spool.takeFailures().map(\.code) == [.spoolVersionUnknown])
        let kept = try PosixFileSystem().open("\(settings.directory).v9/0000000000000001.seg", .read)
        #expect(try kept.readWhole(Int(kept.size()), at: 0) == bytes)
    }
}
