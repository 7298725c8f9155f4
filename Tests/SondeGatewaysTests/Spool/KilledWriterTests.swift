import Foundation
import Glibc
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// A real process on a real disk, killed while it appends.
@Suite struct KilledWriterTests {
    private static let kills = 20

    private static var program: URL {
        get throws {
            let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let folder = URL(filePath: path).deletingLastPathComponent()
            let candidates = [folder, Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0])]
                .flatMap { [$0, $0.deletingLastPathComponent()] }.map { $0.appending(path: "spool-benchmark") }
            return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        }
    }

    @Test func everythingThatWasAppendedBeforeAKillIsThereAfterIt() throws {
        let directory = try SpoolDirectory()
        let path = "\(directory.path)/spool"
        var next: UInt64 = 1
        for round in 0..<Self.kills {
            let told = try runAndKill(path, from: next, afterLines: 5 + round * 13)
            #expect(told >= next)
            let (numbers, losses) = try read(path)
            #expect(numbers.count == Set(numbers).count)
            #expect(numbers == Array(next...max(next, numbers.last ?? next)), "round \(round)")
            #expect(numbers.last ?? 0 >= told, "round \(round)")
            #expect(losses == [])
            next = (numbers.last ?? 0) + 1
        }
    }

    /// Runs the writer until it has told so many appends, then kills it; the last number it told.
    private func runAndKill(_ path: String, from first: UInt64, afterLines count: Int) throws -> UInt64 {
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
        let whole = text.prefix(through: text.lastIndex(of: UInt8(ascii: "\n")) ?? 0)
        let lines = String(decoding: whole, as: UTF8.self).split(separator: "\n")
        return try #require(lines.last.flatMap { UInt64($0) })
    }

    /// Opens what the process left and acknowledges it.
    private func read(_ path: String) throws -> (numbers: [UInt64], losses: [Loss]) {
        let settings = DiskSpoolSettings(directory: path, maxBytes: 64 << 20)
        let spool = try DiskSpool(settings, clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(2))
        spool.addReader("sink", .durable, wants: .metrics)
        return (spool.drain("sink", maxCount: 5_000), spool.takeLosses())
    }
}
