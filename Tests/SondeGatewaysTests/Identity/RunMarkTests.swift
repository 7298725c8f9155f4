import Foundation
import Testing

@testable import SondeGateways

/// How an agent knows how the one before it ended.
@Suite final class RunMarkTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("sonde-run-\(UUID().uuidString)")
    private var file: URL { root.appendingPathComponent("run") }

    init() throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    private func start(boot: String = "b") throws -> RunMark { try #require(RunMark(in: root.path, boot: boot)) }

    @Test func theFirstAgentHasNoneBeforeIt() throws {
        #expect(try start().before == nil)
        #expect(try String(contentsOf: file, encoding: .utf8) == "running 00 b\n")
    }

    @Test func anAgentThatStoppedAsPlannedLeavesNothing() throws {
        try start().stop()
        #expect(try start().before == nil)
    }

    @Test func oneThatOnlyVanishedWasKilledOrWentDownWithTheMachine() throws {
        _ = try start()
        #expect(try start().before == .killed)
        #expect(try start(boot: "c").before == .withHost)
    }

    @Test(
        arguments: [
            ("running 06 b\n", .aborted), ("running 11 b\n", .crashed), ("running 06 other\n", .aborted),
            ("stopped 06 b\n", nil), ("running b\n", nil), ("", nil), ("\u{0}\u{0}", nil), ("running xx b\n", nil),
            ("running 99999999999 b\n", nil),
        ] as [(String, RunMark.End?)])
    func whatTheFileSaysIsWhatItWas(text: String, end: RunMark.End?) throws {
        try Data(text.utf8).write(to: file)
        #expect(try start().before == end)
    }

    @Test func afterADamagedMarkTheNextEndIsKnownAgain() throws {
        try Data("damaged \u{0} and longer than any mark is".utf8).write(to: file)
        #expect(try start().before == nil)
        #expect(try start().before == .killed)
    }

    @Test func withoutTheFolderThereIsNoMark() {
        #expect(RunMark(in: root.appendingPathComponent("gone").path) == nil)
    }
}
