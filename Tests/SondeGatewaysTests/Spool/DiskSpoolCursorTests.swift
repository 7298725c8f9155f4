import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct DiskSpoolCursorTests {
    /// A log with two sinks: `a` has everything, `b` nothing of 300 points, in several segments.
    private func halfDelivered(epoch: Int = 1) throws -> SpoolFixture {
        let fixture = SpoolFixture(segmentBytes: 1_024)
        let spool = try fixture.openWithReader(epoch: epoch)
        spool.addReader("b", .durable, wants: .metrics)
        for first in stride(from: 1 as UInt64, to: 300, by: 10) { spool.take(first...(first + 9)) }
        #expect(spool.drain("a") == Array(1...300))
        fixture.disk.killProcess()
        return fixture
    }

    private func open(_ fixture: SpoolFixture, epoch: Int = 2) throws -> DiskSpool {
        let spool = try fixture.openWithReader(epoch: epoch)
        spool.addReader("b", .durable, wants: .metrics)
        return spool
    }

    private func cursor(_ sink: String) -> String { "/spool/\(sink).cur" }

    @Test func aCursorThatWasRemovedIsMissedAndWhatTheLogHoldsComesAgain() throws {
        let fixture = try halfDelivered()
        try fixture.disk.unlink(cursor("b"))
        let spool = try open(fixture)
        #expect(spool.takeFailures().map(\.code) == [.spoolCursorLost])
        #expect(spool.epoch == SpoolFixture.epoch(2))
        #expect(spool.drain("b") == Array(1...300))
        #expect(spool.takeLosses() == [])
    }

    @Test func aCursorThatWasCopiedFromAnotherSinkIsNotBelieved() throws {
        let fixture = try halfDelivered()
        let bytes = try #require(fixture.disk.contents(of: cursor("a")))
        fixture.disk.setContents(of: cursor("b"), bytes)
        let spool = try open(fixture)
        let told = spool.takeFailures()
        #expect(told.map(\.code) == [.spoolCursorLost])
        #expect(told.first?.message.contains("'b' is of another sink") == true)
        #expect(spool.drain("b") == Array(1...300))
    }

    @Test func cursorsThatWereSwappedLoseNothing() throws {
        let fixture = try halfDelivered()
        let (a, b) = (fixture.disk.contents(of: cursor("a")), fixture.disk.contents(of: cursor("b")))
        fixture.disk.setContents(of: cursor("a"), try #require(b))
        fixture.disk.setContents(of: cursor("b"), try #require(a))
        let spool = try open(fixture)
        #expect(spool.takeFailures().map(\.code) == [.spoolCursorLost, .spoolCursorLost])
        #expect(spool.drain("b") == Array(1...300))
        #expect(spool.drain("a").last == 300)
    }

    @Test func aCursorOfAnotherLogIsNotBelieved() throws {
        let other = try halfDelivered(epoch: 7)
        let fixture = try halfDelivered()
        let bytes = try #require(other.disk.contents(of: cursor("a")))
        let spool = try open(fixture)
        spool.take(301...310)
        fixture.disk.killProcess()
        fixture.disk.setContents(of: cursor("a"), bytes)
        let again = try open(fixture, epoch: 3)
        #expect(again.takeFailures().map(\.code) == [.spoolCursorLost])
        #expect(again.drain("a").suffix(10) == Array(301...310)[...])
        #expect(again.drain("b") == Array(1...310))
    }

    @Test func aCursorThatWentBeforeAnyHeaderNamedItsSinkHadNothingWaiting() throws {
        let fixture = SpoolFixture()
        _ = try fixture.openWithReader()
        fixture.disk.killProcess()
        try fixture.disk.unlink(cursor("a"))
        let spool = try fixture.openWithReader(epoch: 2)
        #expect(spool.takeFailures() == [])
        spool.take(1...3)
        #expect(spool.drain("a") == [1, 2, 3])
    }

    @Test func aSinkThatWasRemovedIsNotMissed() throws {
        let fixture = try halfDelivered()
        let spool = try open(fixture)
        spool.removeReader("b")
        #expect(spool.takeLosses().map(\.reason) == ["sink_removed"])
        fixture.disk.killProcess()
        let again = try fixture.openWithReader(epoch: 3)
        #expect(again.takeFailures() == [])
        #expect(again.retainReaders(["a"]) == [])
        #expect(again.epoch == SpoolFixture.epoch(1))
    }

    @Test func aSinkThatTheNextConfigurationLeavesOutIsNotMissedAfterThat() throws {
        let fixture = try halfDelivered()
        let spool = try fixture.openWithReader(epoch: 2)
        #expect(spool.retainReaders(["a"]).map(\.count) == [300])
        fixture.disk.killProcess()
        let again = try fixture.openWithReader(epoch: 3)
        #expect(again.takeFailures() == [])
        #expect(again.retainReaders(["a"]) == [])
    }

    @Test(arguments: 0..<40)
    func aStartThatIsKilledWhileTheEpochChangesLosesNoPlace(_ calls: Int) throws {
        var fixture = try halfDelivered()
        fixture.settings.synchronization = .none
        for epoch in 2...4 {
            // Every call after so many fails, as if the process had ended there.
            for call in SimulatedFileSystem.Call.allCases where call != .read && call != .open {
                fixture.disk.fail(call, with: FileSystemError.inputOutput, skipping: calls, times: 1_000)
            }
            _ = try? open(fixture, epoch: epoch)
            fixture.disk.killProcess()
            fixture.disk.heal()
        }
        let spool = try open(fixture, epoch: 9)
        #expect(spool.takeFailures().filter { $0.code == .spoolCursorLost } == [])
        #expect(spool.drain("a") == [])
        #expect(spool.drain("b") == Array(1...300))
    }
}
