import Foundation
import Glibc
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// A real file system of three MiB, mounted for a test.
private final class MountedFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "sonde-history-\(UUID().uuidString)").path

    init?() {
        guard mkdir(path, 0o700) == 0 else { return nil }
        guard mount("none", path, "tmpfs", 0, "size=3m") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    static let isPossible = MountedFolder() != nil
}

@Suite(.enabled(if: MountedFolder.isPossible, "mounting needs root")) struct FullDiskHistoryTests {
    @Test func aHistoryThatCannotBeMadeSmallerIsReportedAndGoesOn() throws {
        let folder = try #require(MountedFolder())
        let path = "\(folder.path)/history.db"
        let size = HistorySize(bytes: 16 << 20)
        let store = SQLiteHistoryStore(path: path, size: size)
        let names = (0..<14).map { HistorySeries(.connectionsTCP, member: "s\($0)", source: "kernel") }
        for minute in 0..<70 { try HistoryFixture.fill(store, minute: Int64(minute), series: names) }
        let filler = "\(folder.path)/filler"
        #expect(FileManager.default.createFile(atPath: filler, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: filler))
        while (try? file.write(contentsOf: Data(count: 4_096))) != nil {}
        let smaller = SQLiteHistoryStore(path: path, maxBytes: HistorySize.leastBytes)
        #expect(try smaller.overview().series.count == 14)
        let failure = try #require(smaller.takeFailures().first)
        #expect(failure.code == .historyTooLarge)
        #expect(failure.message.contains("could not be made smaller"))
        // A process that another test has forked may have it open too.
        try file.truncate(atOffset: 0)
        try file.close()
        unlink(filler)
        let again = SQLiteHistoryStore(path: path, maxBytes: HistorySize.leastBytes)
        #expect(try again.overview().series.count == HistorySize(bytes: HistorySize.leastBytes).units)
    }

    @Test func theHistoryStopsWhenTheDiskIsFullAndGoesOnWhenThereIsRoom() throws {
        let folder = try #require(MountedFolder())
        let clock = ManualClock(wall: Timestamp(seconds: HistoryFixture.begin))
        let log = RecordingLog()
        let store = SQLiteHistoryStore(path: "\(folder.path)/history.db", maxBytes: nil)
        let record = RecordHistory(store: store, clock: clock, log: log)
        gather(record, clock)
        _ = record.commit()
        #expect(record.failures.isEmpty)

        let filler = "\(folder.path)/filler"
        #expect(FileManager.default.createFile(atPath: filler, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: filler))
        while (try? file.write(contentsOf: Data(count: 4_096))) != nil {}
        var minutes = 0
        while record.failures.isEmpty, minutes < 300 {
            gather(record, clock)
            _ = record.commit()
            minutes += 1
        }
        #expect(record.failures.map(\.error.code) == [.historyFull])
        for _ in 0..<10 {
            gather(record, clock)
            _ = record.commit()
        }

        // A process that another test has forked may have it open too.
        try file.truncate(atOffset: 0)
        try file.close()
        unlink(filler)
        gather(record, clock)
        _ = record.commit()
        let kept = try store.steps(of: HistoryFixture.series, in: .hour, 0..<Int64.max).steps.map(\.index)
        let (first, last) = (try #require(kept.first), try #require(kept.last))
        #expect(last - first + 1 == Int64(kept.count), "what waited is missing")
        #expect(store.takeFailures().isEmpty)
        clock.advance(by: .seconds(61))
        _ = record.commit()
        #expect(record.failures.isEmpty)
        #expect(log.lines.contains { $0.message == "recovered from SND-HIS002" })
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/history.db.set-aside"))
    }

    /// Takes a minute of readings.
    private func gather(_ record: RecordHistory, _ clock: ManualClock) {
        for _ in 0..<12 {
            clock.advance(by: .seconds(5))
            let reading = HistoryObservation(.held(1, peak: nil), at: clock.wallTime, held: .seconds(5))
            record.take([.init(series: HistoryFixture.series, rank: .standard, observation: reading)])
        }
    }
}
