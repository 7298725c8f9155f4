import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// What stands at the place of the history may be anything; delivery and the agent go on.
@Suite struct SQLiteHistoryDamageTests {
    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// A whole history of ten minutes, closed.
    private func whole(_ fixture: HistoryFixture) throws -> [UInt8] {
        do {
            let store = fixture.store()
            for minute in 0..<10 { try HistoryFixture.fill(store, minute: Int64(minute)) }
        }
        let closing = try SQLiteConnection(path: fixture.path, .write)
        try closing.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return try bytes(fixture.path)
    }

    /// Uses what is there and tells which failures came of it.
    private func codes(_ fixture: HistoryFixture) throws -> [ErrorCode] {
        let store = fixture.store()
        try HistoryFixture.fill(store, minute: 20)
        #expect(try HistoryFixture.values(store).suffix(12) == Array(repeating: 20, count: 12)[...])
        return store.takeFailures().map(\.code)
    }

    @Test(arguments: [
        [], [0x53], Array("not a database at all".utf8), [UInt8](repeating: 0, count: 8_192),
        [UInt8](repeating: 0xff, count: 70_000),
    ])
    func whatIsNoDatabaseIsSetAsideUnchangedAndNotCalledForeign(content: [UInt8]) throws {
        let fixture = try HistoryFixture()
        try write(content, fixture.path)
        #expect(try codes(fixture) == [.historyDamaged])
        #expect(try bytes(fixture.path + ".set-aside") == content)
    }

    @Test func theDatabaseOfAnotherProgramIsSetAside() throws {
        let fixture = try HistoryFixture()
        do {
            let other = try SQLiteConnection(path: fixture.path, .create)
            try other.run("CREATE TABLE contacts (name TEXT)")
        }
        let content = try bytes(fixture.path)
        #expect(try codes(fixture) == [.historyForeign])
        #expect(try bytes(fixture.path + ".set-aside") == content)
    }

    @Test func whatWasSetAsideIsReportedUntilItIsTakenAway() throws {
        let fixture = try HistoryFixture()
        try write([0x53], fixture.path)
        let clock = ManualClock()
        let record = RecordHistory(store: fixture.store(), clock: clock, log: RecordingLog())
        func commit() {
            clock.advance(by: .seconds(10))
            let observation = HistoryObservation(.held(1, peak: nil), at: clock.wallTime, held: .seconds(10))
            let series = HistorySeries(.bandwidthReceive, source: "kernel")
            record.take([.init(series: series, rank: .standard, observation: observation)])
            _ = record.commit()
        }
        commit()
        commit()
        #expect(record.failures.map(\.error.code) == [.historyDamaged])
        #expect(unlink(fixture.path + ".set-aside") == 0)
        commit()
        #expect(record.failures.isEmpty)
    }

    @Test func aHistoryOfALaterVersionIsSetAsideWithItsLog() throws {
        let fixture = try HistoryFixture()
        _ = try whole(fixture)
        let later = try SQLiteConnection(path: fixture.path, .write)
        try later.run("PRAGMA user_version = 9")
        #expect(try codes(fixture) == [.historyNewer])
        let aside = try SQLiteConnection(path: fixture.path + ".set-aside", .read)
        #expect(try aside.number("PRAGMA user_version") == 9)
    }

    @Test func aHistoryWithoutATableIsDamaged() throws {
        let fixture = try HistoryFixture()
        _ = try whole(fixture)
        do { try SQLiteConnection(path: fixture.path, .write).run("DROP TABLE chunk_7d") }
        #expect(try codes(fixture) == [.historyDamaged])
    }

    @Test func aFileThatIsCutAnywhereNeverStopsTheHistory() throws {
        let fixture = try HistoryFixture()
        let content = try whole(fixture)
        for length in stride(from: 0, to: content.count, by: 1_777) {
            for suffix in ["", "-wal", "-shm"] { unlink(fixture.path + suffix) }
            try write(Array(content.prefix(length)), fixture.path)
            let seen = try codes(fixture)
            // A last page that is there in part may have been empty there.
            let isLast = length > content.count - 4_096 && (seen == [] || seen == [.historyRowDamaged])
            #expect(seen == [.historyDamaged] || isLast, "\(length) bytes: \(seen)")
        }
    }

    @Test func noFlippedByteOfTheHeaderStopsTheHistory() throws {
        let fixture = try HistoryFixture()
        let content = try whole(fixture)
        for place in 0..<100 {
            for suffix in ["", "-wal", "-shm"] { unlink(fixture.path + suffix) }
            var changed = content
            changed[place] ^= 0xff
            try write(changed, fixture.path)
            let seen = try codes(fixture)
            let expected: Set<ErrorCode> = [.historyForeign, .historyDamaged, .historyNewer]
            #expect(Set(seen).isSubset(of: expected), "byte \(place): \(seen)")
        }
    }

    @Test func flippedBytesAnywhereNeverTurnIntoOtherValues() throws {
        let fixture = try HistoryFixture()
        let content = try whole(fixture)
        var random = SeededGenerator(seed: 11)
        var tellings = 0
        let expected = (0..<10).flatMap { minute in Array(repeating: Double(minute), count: 12) }
        for _ in 0..<150 {
            for suffix in ["", "-wal", "-shm"] { unlink(fixture.path + suffix) }
            var changed = content
            for _ in 0..<4 { changed[Int.random(in: 100..<content.count, using: &random)] ^= 0x55 }
            try write(changed, fixture.path)
            let store = fixture.store()
            let values = try HistoryFixture.values(store)
            #expect(values.allSatisfy { expected.contains($0) })
            try HistoryFixture.fill(store, minute: 20)
            #expect(try HistoryFixture.values(store).suffix(12).allSatisfy { $0 == 20 })
            let told = Set(store.takeFailures().map(\.code))
            // A row whose own number is damaged is not found, and nobody can say that it was there.
            if values != expected, !told.isEmpty { tellings += 1 }
            #expect(told.isSubset(of: [.historyDamaged, .historyRowDamaged, .historyForeign, .historyNewer]))
        }
        #expect(tellings > 20)
    }

    @Test func aRowWithoutItsChecksumIsAbsentAndToldOnce() throws {
        let fixture = try HistoryFixture()
        _ = try whole(fixture)
        do {
            let connection = try SQLiteConnection(path: fixture.path, .write)
            try connection.run("UPDATE chunk_1h SET body = zeroblob(976) WHERE id = (SELECT min(id) FROM chunk_1h)")
            try connection.run("UPDATE chunk_1h SET body = substr(body, 1, 12) || x'01' || substr(body, 14)")
        }
        let store = fixture.store()
        #expect(try HistoryFixture.values(store) == [])
        let told = store.takeFailures()
        #expect(told.map(\.code) == [.historyRowDamaged])
        #expect(told.first?.message.hasPrefix("6 rows") == true)
        #expect(try HistoryFixture.values(store) == [])
        #expect(store.takeFailures() == [])
        #expect(!FileManager.default.fileExists(atPath: fixture.path + ".set-aside"))
        try HistoryFixture.fill(store, minute: 20)
        #expect(try HistoryFixture.values(store).count == 12)
    }

    @Test func aFolderInItsPlaceIsLeftAlone() throws {
        let fixture = try HistoryFixture()
        try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: false)
        let store = fixture.store()
        let failure = #expect(throws: SondeError.self) { try HistoryFixture.fill(store, minute: 0) }
        #expect(failure?.code == .historyUnusable)
        try FileManager.default.removeItem(atPath: fixture.path)
        try HistoryFixture.fill(store, minute: 1)
        #expect(try HistoryFixture.values(store).count == 12)
    }

    @Test func aStateFolderThatIsMissingIsToldAndThenUsed() throws {
        let fixture = try HistoryFixture()
        let folder = "\(fixture.folder)/later"
        let store = SQLiteHistoryStore(path: "\(folder)/history.db", maxBytes: nil)
        let failure = #expect(throws: SondeError.self) { try HistoryFixture.fill(store, minute: 0) }
        #expect(failure?.code == .historyUnusable)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try HistoryFixture.fill(store, minute: 0)
    }

    @Test func anErrorThatMayBeOursSetsNothingAside() {
        for code: Int32 in [1, 21, 23, 25, 8, 14] {
            let failure = HistoryFailure(SQLiteFault(code: code, message: "", systemCode: 0))
            #expect(!failure.setsAside)
        }
        #expect(HistoryFailure(SQLiteFault(code: 11, message: "", systemCode: 0)).setsAside)
        #expect(HistoryFailure(SQLiteFault(code: 26, message: "", systemCode: 0)).setsAside)
        #expect(
            HistoryFailure(SQLiteFault(code: 10 | 3 << 8, message: "", systemCode: ENOSPC))
                == .full(": No space left on device"))
    }
}
