import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// A crash between any two steps of a rotation: the next start completes it, and nothing but the oldest goes.
@Suite struct RotationCrashTests {
    /// The steps of one rotation with `keep` 3 and a full row, as they happen.
    private func rotate(_ directory: TemporaryDirectory, steps: Int, suffix: String) throws {
        let moves: [() throws -> Void] = [
            { try directory.remove("m.log.3\(suffix)") },
            { try directory.move("m.log.2\(suffix)", to: "m.log.3\(suffix)") },
            { try directory.move("m.log.1\(suffix)", to: "m.log.2\(suffix)") },
            { try directory.move("m.log", to: "m.log.1") },
        ]
        for move in moves.prefix(steps) { try move() }
    }

    @Test(arguments: 0...4, ["", ".gz"])
    func everyStepIsCompleted(_ steps: Int, _ suffix: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("current\n", to: "m.log")
        for slot in 1...3 { try directory.write("old \(slot)\n", to: "m.log.\(slot)\(suffix)") }
        try rotate(directory, steps: steps, suffix: suffix)
        let bench = try Bench.started(["rotate.size": .size(10), "rotate.keep": .integer(3)], in: directory)
        try bench.deliver(.of(1))
        #expect(directory.text("m.log") == Batch.of(1).text())
        #expect(directory.text("m.log.1") == "current\n")
        #expect(directory.text("m.log.2\(suffix)") == "old 1\n")
        #expect(directory.text("m.log.3\(suffix)") == "old 2\n")
        #expect(directory.names.count == 4)
    }

    @Test func aGapIsFilledAndNothingIsRemoved() throws {
        let directory = try TemporaryDirectory()
        for name in ["m.log", "m.log.1", "m.log.3"] { try directory.write("\(name)\n", to: name) }
        let bench = try Bench.started(["rotate.size": .size(1), "rotate.keep": .integer(3)], in: directory)
        try bench.deliver(.of(1))
        #expect(directory.text("m.log.1") == "m.log\n")
        #expect(directory.text("m.log.2") == "m.log.1\n")
        #expect(directory.text("m.log.3") == "m.log.3\n")
    }
}
