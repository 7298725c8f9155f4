import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Two sinks, one path.
@Suite struct LockTests {
    @Test func theSecondSinkIsRefused() throws {
        let first = try Bench.started()
        let second = try Bench(in: first.directory)
        let error = second.startFailure()
        #expect(error?.code == "SND-FIL006")
        #expect(error?.failureClass == .configuration)
        try first.deliver(.of(1))
        #expect(first.text == Batch.of(1).text())
    }

    @Test func theLockSurvivesARotation() throws {
        let first = try Bench.started(["rotate.size": .size(1)])
        try first.deliver(.of(1))
        try first.deliver(.of(2))
        #expect(try Bench(in: first.directory).startFailure()?.code == "SND-FIL006")
    }

    @Test func aSinkThatLostItsFileToAnotherOneStops() throws {
        let first = try Bench.started()
        try first.deliver(.of(1))
        try first.directory.move("m.log", to: "moved.log")
        let second = try Bench.started(in: first.directory)
        try second.deliver(.of(2))
        #expect(first.deliveryFailure(.of(3))?.code == "SND-FIL006")
        #expect(first.text == Batch.of(2).text())
    }

    @Test func theLockGoesWithTheSink() throws {
        var first: Bench? = try Bench.started()
        let directory = try #require(first?.directory)
        first = nil
        try Bench.started(in: directory).deliver(.of(1))
        #expect(directory.text("m.log") == Batch.of(1).text())
    }
}
