import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct DiskSpoolForeignTests {
    /// A log that another machine has left, half of it delivered.
    private func foreignLog() throws -> SpoolFixture {
        var fixture = SpoolFixture(segmentBytes: 1_024)
        fixture.settings.machine = "original"
        let spool = try fixture.openWithReader(epoch: 1)
        let checkpoint = SpoolCheckpoint(source: "log", bytes: [7])
        _ = spool.append([.numbered(1)], documents: [], checkpoint: checkpoint, at: SpoolFixture.instant)
        spool.take(2...500)
        spool.take(501...1_000)
        let stretch = try #require(spool.cut(for: "a", maxCount: 300, maxBytes: .max))
        spool.acknowledge(stretch, for: "a")
        fixture.disk.killProcess()
        fixture.settings.machine = "clone"
        return fixture
    }

    @Test func whatAnotherMachineLeftIsSetAsideAndToldUnderANewEpoch() throws {
        let fixture = try foreignLog()
        let spool = try fixture.openWithReader(epoch: 2)
        #expect(spool.epoch == SpoolFixture.epoch(2))
        #expect(spool.takeLosses().map(\.reason).allSatisfy { $0 == "spool_foreign" })
        #expect(spool.takeFailures().map(\.code) == [.spoolForeign])
        #expect(spool.backlog(of: "a").count == 0)
        #expect(try #require(spool.take(2_000...2_000)).first == 1_001)
        #expect(spool.drain("a") == [2_000])
        #expect(fixture.disk.paths.contains { $0.hasSuffix(".foreign") })
    }

    @Test func everyPointOfAnotherMachineIsCounted() throws {
        let spool = try foreignLog().openWithReader(epoch: 2)
        #expect(spool.takeLosses().reduce(0) { $0 + ($1.count ?? 0) } == 700)
    }

    @Test func thePlaceOfASourceStaysSinceTheOtherMachineHasReadWhatLiesBefore() throws {
        #expect(try foreignLog().open(epoch: 2).checkpoint(of: "log") == [7])
    }

    @Test func theNextStartGoesOnUnderTheNewName() throws {
        let fixture = try foreignLog()
        try fixture.openWithReader(epoch: 2).take(2_000...2_009)
        fixture.disk.killProcess()
        let again = try fixture.openWithReader(epoch: 3)
        #expect(again.epoch == SpoolFixture.epoch(2))
        #expect(again.takeLosses() == [])
        #expect(again.drain("a") == Array(2_000...2_009))
    }

    @Test func whatCouldNotBeMovedIsNotDelivered() throws {
        let fixture = try foreignLog()
        fixture.disk.fail(.rename, with: FileSystemError.inputOutput, skipping: 1, times: 100)
        fixture.disk.fail(.unlink, with: FileSystemError.inputOutput, oneIn: 1)
        _ = try fixture.open(epoch: 2)
        fixture.disk.killProcess()
        fixture.disk.heal()
        let spool = try fixture.openWithReader(epoch: 3)
        spool.take(2_000...2_000)
        #expect(spool.drain("a") == [2_000])
    }

    @Test(arguments: [nil, "original"])
    func withoutKnowingOfAnotherMachineNothingIsSetAside(_ machine: String?) throws {
        var fixture = try foreignLog()
        fixture.settings.machine = machine
        let spool = try fixture.openWithReader(epoch: 2)
        #expect(spool.epoch == SpoolFixture.epoch(1))
        #expect(spool.drain("a") == Array(301...1_000))
    }
}
