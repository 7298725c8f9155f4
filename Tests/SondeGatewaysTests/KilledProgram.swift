import Foundation
import Glibc
import Testing

/// A benchmark's program that writes line by line how far it is, until it is killed.
struct KilledProgram {
    let name: String

    private var path: URL {
        get throws {
            let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let folder = URL(filePath: path).deletingLastPathComponent()
            let candidates = [folder, Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0])]
                .flatMap { [$0, $0.deletingLastPathComponent()] }.map { $0.appending(path: name) }
            return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        }
    }

    /// Lets it write until it has told so many numbers, then kills it; the last one it told.
    func write(_ file: String, from first: UInt64, untilLines count: Int) throws -> UInt64 {
        let process = Process()
        process.executableURL = try path
        process.arguments = ["write", file, "\(first)"]
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
        // The kill may have cut the last line.
        let end = try #require(text.lastIndex(of: UInt8(ascii: "\n")), "it did not start, or ended before it told one")
        let lines = String(decoding: text[...end], as: UTF8.self).split(separator: "\n")
        return try #require(lines.last.flatMap { UInt64($0) })
    }
}
