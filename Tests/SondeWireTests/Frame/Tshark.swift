import Foundation

/// The program that counts for right where it is installed.
enum Tshark {
    /// Whether it is installed.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

    private static let path = "/usr/bin/tshark"

    /// The first occurrence of each field, per frame of a capture file; fragments are not put together.
    ///
    /// It runs on a thread of its own, since waiting for it would keep other tests from running.
    static func rows(
        of capture: [UInt8], fields: [String], preferences: [String] = []
    ) async throws -> [[String]] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pcapng")
        try Data(capture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try run(on: file, fields, preferences) })
            }
        }
        return output.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
        }
    }

    private static func run(on file: URL, _ fields: [String], _ preferences: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments =
            ["-r", file.path, "-n", "-T", "fields", "-E", "separator=|", "-E", "occurrence=f"]
            + (["ip.defragment:FALSE", "ipv6.defragment:FALSE"] + preferences).flatMap { ["-o", $0] }
            + fields.flatMap { ["-e", $0] }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
