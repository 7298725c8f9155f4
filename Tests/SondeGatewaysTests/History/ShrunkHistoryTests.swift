import Foundation
import Glibc
import SondeDomain
import SondeEngine
import SondePluginKit
import SondeTestKit
import Testing

@testable import SondeGateways

/// A history whose bound was lowered below what it has.
@Suite struct ShrunkHistoryTests {
    private static let large: Int64 = 20 << 20

    private func name(_ number: Int) -> HistorySeries {
        HistorySeries(.connectionsTCP, member: "state\(number)", source: "kernel")
    }

    /// A file of twenty series that fill their lowest ring; `further` of them are single interfaces.
    private func fill(_ fixture: HistoryFixture, further: Int = 0) throws {
        let store = fixture.store(bytes: Self.large)
        for minute in 0..<62 {
            var additions: [HistoryAddition] = []
            for number in 0..<20 {
                var steps = HistorySteps()
                let first = (HistoryFixture.begin + Int64(minute) * 60) / 5
                for index in first..<(first + 12) {
                    steps.set(HistoryPoint(Double(number), weight: 5_000_000), at: index)
                }
                // The first ones fall silent after a while.
                guard minute < 50 + number else { continue }
                additions.append(
                    HistoryAddition(name(number), rank: number < further ? .further : .standard, steps))
            }
            _ = try store.append(additions, at: Timestamp(seconds: HistoryFixture.begin + Int64(minute) * 60 + 60))
        }
        // Single pages that nothing of a history needs, so that the file is longer than its new bound.
        let connection = try SQLiteConnection(path: fixture.path, .write)
        try connection.run("CREATE TABLE filler (body BLOB)")
        try connection.run("INSERT INTO filler VALUES (zeroblob(14000000))")
        _ = try connection.emptyLog()
    }

    private func bytes(_ fixture: HistoryFixture) -> Int64 {
        ["", "-wal", "-shm"].reduce(0) { sum, suffix in
            var status = stat()
            return stat(fixture.path + suffix, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    @Test func aLowerBoundMakesTheFileSmallerAndKeepsTheLatestSeries() throws {
        let fixture = try HistoryFixture()
        try fill(fixture)
        #expect(bytes(fixture) > HistorySize.leastBytes)
        let store = fixture.store()
        let room = HistorySize(bytes: HistorySize.leastBytes).units
        let kept = try store.overview().series.map(\.series)
        #expect(bytes(fixture) <= HistorySize.leastBytes)
        #expect(Set(kept) == Set(((20 - room)..<20).map(name)))
        let values = try HistoryFixture.values(store, of: name(19))
        #expect(values.count >= 720 && values.allSatisfy { $0 == 19 })
        #expect(try HistoryFixture.values(store, of: name(0)).isEmpty)
        let month = try store.steps(of: name(19), in: .month, 0..<Int64.max).steps
        #expect(month.map(\.point.average) == [19])
        #expect(try store.overview().lastCommit == Timestamp(seconds: HistoryFixture.begin + 62 * 60))
        let failure = try #require(store.takeFailures().first)
        #expect(failure.code == .historyTooLarge)
        #expect(failure.message.contains("\(20 - room) series were dropped"))
        // It is as any other from then on, and is not made smaller again.
        try HistoryFixture.fill(store, minute: 62, series: [name(19)])
        #expect(try HistoryFixture.values(fixture.store(), of: name(19)).last == 62)
        #expect(fixture.store().takeFailures().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.path + ".new"))
    }

    @Test func whatIsAlwaysWantedGoesBeforeSingleInterfaces() throws {
        let fixture = try HistoryFixture()
        try fill(fixture, further: 16)
        let kept = try fixture.store().overview().series
        #expect(kept.count { $0.rank == .standard } == 4)
        let room = HistorySize(bytes: HistorySize.leastBytes).units
        #expect(kept.count { $0.rank == .further } == min(room / 2, room - 4))
    }

    @Test func aBoundThatFitsChangesNothing() throws {
        let fixture = try HistoryFixture()
        try fill(fixture)
        let identity = FileIdentity(at: fixture.path)
        let store = fixture.store(bytes: Self.large + (16 << 20))
        #expect(try store.overview().series.count == 20)
        #expect(FileIdentity(at: fixture.path) == identity)
        #expect(store.takeFailures().isEmpty)
    }

    @Test func aReaderThatStaysIsReportedAndTheFileUsedAsItIs() throws {
        let fixture = try HistoryFixture()
        try fill(fixture)
        let writer = try SQLiteConnection(path: fixture.path, .write)
        let reader = try SQLiteConnection(path: fixture.path, .read)
        try reader.run("BEGIN")
        _ = try reader.number("SELECT count(*) FROM series")
        // Something in the log that the reader keeps from being brought into the file.
        try writer.run("DELETE FROM filler")
        let store = fixture.store()
        #expect(try store.overview().series.count == 20)
        #expect(store.takeFailures().map(\.code) == [.historyTooLarge])
        #expect(try HistoryFixture.values(store, of: name(19)).count >= 720)
        try reader.run("COMMIT")
        let later = fixture.store()
        #expect(try later.overview().series.count < 20)
        #expect(later.takeFailures().map(\.code) == [.historyTooLarge])
    }

    @Test func aCopyThatWasNotFinishedIsNoHistory() throws {
        let fixture = try HistoryFixture()
        try fill(fixture)
        try Data(repeating: 7, count: 5_000).write(to: URL(filePath: fixture.path + ".new"))
        try Data(repeating: 7, count: 5_000).write(to: URL(filePath: fixture.path + ".new-journal"))
        let store = fixture.store()
        #expect(try HistoryFixture.values(store, of: name(19)).count >= 720)
        #expect(bytes(fixture) <= HistorySize.leastBytes)
    }
}
