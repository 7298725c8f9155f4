import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct SQLiteHistoryStoreTests {
    @Test(arguments: HistoryStoreContract.Rule.allCases)
    func keepsTheContract(rule: HistoryStoreContract.Rule) throws {
        let fixture = try HistoryFixture()
        var bytes = HistorySize.leastBytes
        while HistorySize(bytes: bytes).units < 9 { bytes += 4_096 }
        try HistoryStoreContract { units in
            #expect(units == 9)
            return fixture.store(bytes: bytes)
        }.check(rule)
    }

    @Test func whatWasWrittenIsThereAfterOpeningAnew() throws {
        let fixture = try HistoryFixture()
        try HistoryFixture.fill(try fixture.filled(), minute: 1)
        let again = fixture.store()
        #expect(try HistoryFixture.values(again) == Array(repeating: 0, count: 12) + Array(repeating: 1, count: 12))
        #expect(try again.overview().lastCommit == Timestamp(seconds: HistoryFixture.begin + 120))
        try HistoryFixture.fill(again, minute: 2)
        #expect(try HistoryFixture.values(again).count == 36)
        #expect(again.takeFailures().isEmpty)
    }

    @Test func theFileIsReadableForItsGroupAndNobodyElse() throws {
        let fixture = try HistoryFixture()
        _ = try fixture.filled()
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test func anotherProcessReadsWhileTheStoreWrites() throws {
        let fixture = try HistoryFixture()
        let store = try fixture.filled()
        let reader = try SQLiteConnection(path: fixture.path, .read)
        try reader.run("BEGIN")
        #expect(try reader.number("SELECT count(*) FROM series") == 1)
        let other = HistorySeries(.bandwidthTransmit, source: "kernel")
        try HistoryFixture.fill(store, minute: 1, series: [HistoryFixture.series, other])
        #expect(try reader.number("SELECT count(*) FROM series") == 1)
        try reader.run("COMMIT")
        #expect(try reader.number("SELECT count(*) FROM series") == 2)
    }

    @Test func aReaderThatStaysStopsTheWritingAndNotForEver() throws {
        let fixture = try HistoryFixture()
        let store = try fixture.filled()
        let reader = try SQLiteConnection(path: fixture.path, .read)
        try reader.run("BEGIN")
        _ = try reader.number("SELECT count(*) FROM series")
        var minute: Int64 = 1
        let failure = #expect(throws: SondeError.self) {
            while minute < 3_000 {
                try HistoryFixture.fill(store, minute: minute)
                minute += 1
            }
        }
        #expect(failure?.code == .historyHeld)
        let log = try FileManager.default.attributesOfItem(atPath: fixture.path + "-wal")[.size] as? Int64
        #expect(try #require(log) < 8 << 20)
        try reader.run("COMMIT")
        try HistoryFixture.fill(store, minute: minute)
        #expect(try HistoryFixture.values(store).last == Double(minute))
    }

    @Test func aFileThatIsRemovedGivesWayToANewOne() throws {
        let fixture = try HistoryFixture()
        let store = try fixture.filled()
        for suffix in ["", "-wal", "-shm"] { unlink(fixture.path + suffix) }
        try HistoryFixture.fill(store, minute: 1)
        #expect(FileManager.default.fileExists(atPath: fixture.path))
        #expect(try HistoryFixture.values(store) == Array(repeating: 1, count: 12))
        #expect(store.takeFailures().map(\.code) == [.historyUnusable])
    }

    @Test func anOlderVersionIsBroughtToThisOne() throws {
        let fixture = try HistoryFixture()
        _ = try fixture.filled()
        let next = HistorySchema(
            version: 3, tables: [:],
            migrations: [1: ["ALTER TABLE agent ADD COLUMN note TEXT"], 2: ["UPDATE agent SET note = 'kept'"]])
        let store = fixture.store(schema: next)
        #expect(try HistoryFixture.values(store).count == 12)
        let reader = try SQLiteConnection(path: fixture.path, .read)
        #expect(try reader.text("SELECT note FROM agent") == "kept")
        #expect(try reader.number("PRAGMA user_version") == 3)
        #expect(store.takeFailures().isEmpty)
    }

    @Test func aSeriesThatTakesTheSlotOfAnotherHasNothingOfIt() throws {
        let fixture = try HistoryFixture()
        let store = try fixture.filled()
        let others = (0..<20).map { HistorySeries(.connectionsTCP, member: "s\($0)", source: "kernel") }
        try HistoryFixture.fill(store, minute: 50_000, series: others)
        let taker = try #require(try store.overview().series.map(\.series).first { $0 != HistoryFixture.series })
        #expect(try HistoryFixture.values(store, of: taker) == Array(repeating: 50_000, count: 12))
        #expect(store.takeFailures().isEmpty)
    }
}
