import Foundation
import Glibc

/// A program that runs beside a test and is ended with it.
final class ChildProcess {
    struct Failure: Error {
        let command: [String]
        let status: Int32
        let output: String
    }

    private let process = Process()
    private let output = Pipe()

    /// Starts a program whose input is empty; its output and errors can be waited for.
    init(_ command: [String], in directory: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.standardInput = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit {
        end()
    }

    /// Waits until `text` was written and returns what follows it on that line.
    func output(after text: String) throws -> String {
        var seen = ""
        while true {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw Failure(command: process.arguments ?? [], status: -1, output: seen)
            }
            seen += String(decoding: more, as: UTF8.self)
            if let range = seen.range(of: text), let line = seen[range.upperBound...].firstIndex(of: "\n") {
                return String(seen[range.upperBound..<line])
            }
        }
    }

    /// Kills it and waits.
    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Runs a program to its end; throws what it wrote when it fails.
    static func run(_ command: [String], in directory: String) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(command: command, status: process.terminationStatus, output: output)
        }
    }

    /// Whether a program is installed.
    static func exists(_ program: String) -> Bool {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
