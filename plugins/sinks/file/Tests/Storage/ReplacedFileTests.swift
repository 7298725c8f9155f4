import Foundation
import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// What others do to the file while the sink writes it.
@Suite struct ReplacedFileTests {
    @Test func aMovedFileIsReplacedByANewOne() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1))
        try bench.directory.move("m.log", to: "moved.log")
        try bench.deliver(.of(2))
        #expect(bench.directory.text("moved.log") == Batch.of(1).text())
        #expect(bench.text == Batch.of(2).text())
        #expect(bench.directory.mode("m.log") == 0o640)
    }

    @Test func aDeletedFileIsMadeAnew() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1))
        try bench.directory.remove("m.log")
        try bench.deliver(.of(2))
        #expect(bench.text == Batch.of(2).text())
    }

    @Test func aFileThatLogrotateMadeIsTakenUp() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1))
        try bench.directory.move("m.log", to: "m.log-20260101")
        try bench.directory.write("", to: "m.log")
        chmod(bench.directory.file("m.log"), 0o644)
        try bench.deliver(.of(2))
        #expect(bench.text == Batch.of(2).text())
        #expect(bench.directory.mode("m.log") == 0o644)
    }

    @Test func copytruncateLeavesNoHole() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1...3))
        truncate(bench.directory.file("m.log"), 0)
        try bench.deliver(.of(4))
        #expect(bench.text == Batch.of(4).text())
    }

    @Test func aFileThatIsMovedAwayAndBackIsNotLockedAgainstItsOwnSink() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1))
        try bench.directory.move("m.log", to: "away")
        try bench.deliver(.of(2))
        try bench.directory.remove("m.log")
        try bench.directory.move("away", to: "m.log")
        try bench.deliver(.of(3))
        #expect(bench.text == Batch.of(1).text() + Batch.of(3).text())
    }

    @Test func halfALineOfSomebodyElseIsEndedAndNotCut() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1))
        let other = try #require(FileHandle(forWritingAtPath: bench.directory.file("m.log")))
        try other.seekToEnd()
        try other.write(contentsOf: Data("half a line".utf8))
        try bench.deliver(.of(2))
        #expect(bench.text == Batch.of(1).text() + "half a line\n" + Batch.of(2).text())
    }

    @Test func aDirectoryThatGoesAwayHoldsDeliveryUntilItIsBack() throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.file("d"), 0o755)
        let bench = try Bench.started(in: directory, file: "d/m.log")
        try bench.deliver(.of(1))
        try directory.remove("d")
        #expect(bench.deliveryFailure(.of(2))?.code == "SND-FIL002")
        mkdir(directory.file("d"), 0o755)
        try bench.deliver(.of(2))
        #expect(directory.text("d/m.log") == Batch.of(2).text())
    }
}
