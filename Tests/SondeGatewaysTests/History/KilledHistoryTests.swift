import Foundation
import Glibc
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// A real process on a real disk, killed while it commits.
@Suite struct KilledHistoryTests {
    private static var program: URL {
        get throws {
            let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let folder = URL(filePath: path).deletingLastPathComponent()
            let candidates = [folder, Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0])]
                .flatMap { [$0, $0.deletingLastPathComponent()] }.map { $0.appending(path: "history-benchmark") }
            return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        }
    }

    @Test func everyMinuteThatWasCommittedBeforeAKillIsWholeAfterIt() throws {
        let fixture = try HistoryFixture()
        var next: Int64 = 0
        for round in 0..<20 {
            let told = try runAndKill(fixture.path, from: next, afterLines: round * 2 + 1)
            let store = SQLiteHistoryStore(path: fixture.path, maxBytes: nil)
            let steps = try store.steps(of: HistoryFixture.series, in: .hour, 0..<Int64.max).steps
            let first = HistoryFixture.begin / 5
            let last = try #require(steps.last?.index) + 1
            #expect((last - first) % 12 == 0, "half a minute is there")
            #expect((last - first) / 12 > told, "round \(round): minute \(told) was told and is not there")
            #expect(steps.map(\.index) == Array((last - Int64(steps.count))..<last))
            #expect(store.takeFailures().isEmpty)
            next = (last - first) / 12
        }
    }

    /// Runs the writer until it has told so many commits, then kills it; the last minute it told.
    private func runAndKill(_ path: String, from first: Int64, afterLines count: Int) throws -> Int64 {
        let process = Process()
        process.executableURL = try Self.program
        process.arguments = ["write", path, "\(first)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        var text: [UInt8] = []
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += data
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        text += pipe.fileHandleForReading.readDataToEndOfFile()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        return try #require(lines.last.flatMap { Int64($0) })
    }
}
