import Foundation
import Glibc
import SondeTestKit

/// librdkafka's own mock cluster, in a process of its own.
///
/// Use it from one thread.
final class MockCluster {
    /// What came of a message.
    struct Received: Hashable {
        let headers: [String: String]
        let body: [UInt8]

        var points: Int { headers["Sonde-Points"].flatMap(Int.init) ?? 0 }
    }

    /// The program was not made, or did not answer.
    struct Failure: Error {
        let reason: String
    }

    /// `host:port` of each broker.
    let brokers: [String]
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let directory: TemporaryDirectory
    private var rest: [UInt8] = []

    // Once for all tests of the process.
    private static let program = Result { try compiled() }

    /// A cluster with the topic `sonde`, which is read from the start.
    init(brokers count: Int = 1, partitions: Int = 1) throws {
        directory = try TemporaryDirectory()
        process.executableURL = URL(filePath: try Self.program.get())
        process.arguments = ["\(count)", directory.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        try Self.readLine(output.fileHandleForReading.fileDescriptor, &line)
        brokers = String(decoding: line, as: UTF8.self).split(separator: ",").map(String.init)
        try command("topic sonde \(partitions)")
        try command("read sonde \(partitions)")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Gives an order, as `Fixtures/cluster.c` reads them, and returns what it prints.
    @discardableResult
    func command(_ text: String) throws -> [String] {
        try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
        var lines: [String] = []
        while true {
            var line: [UInt8] = []
            try Self.readLine(output.fileHandleForReading.fileDescriptor, &line)
            let text = String(decoding: line, as: UTF8.self)
            guard text != "ok" else { return lines }
            guard text != "unknown" else { throw Failure(reason: "no command: \(text)") }
            lines.append(text)
        }
    }

    /// The messages in the order in which they came, once there are `count`.
    func received(_ count: Int) throws -> [Received] {
        try received { $0.count >= count }
    }

    /// The messages in the order in which they came, once they have `points` together.
    func received(points: Int) throws -> [Received] {
        try received { $0.reduce(0) { $0 + $1.points } >= points }
    }

    private func received(until isComplete: ([Received]) -> Bool) throws -> [Received] {
        let end = Date(timeIntervalSinceNow: 20)
        while true {
            let messages = try FileManager.default.contentsOfDirectory(atPath: directory.path)
                .filter { $0.hasSuffix(".head") }.sorted().map(message)
            if isComplete(messages) { return messages }
            guard Date() < end else { throw Failure(reason: "there are \(messages.count) messages: \(messages)") }
            usleep(5_000)
        }
    }

    private func message(_ name: String) throws -> Received {
        let lines = try directory.read(name).split(separator: "\n")
        let pairs = lines.map { line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
        let body = FileManager.default.contents(atPath: directory.file("\(name.dropLast(5)).body"))
        return Received(headers: Dictionary(uniqueKeysWithValues: pairs), body: Array(body ?? Data()))
    }

    private static func readLine(_ descriptor: Int32, _ line: inout [UInt8]) throws {
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {
            guard byte != 0x0a else { return }
            line.append(byte)
        }
        throw Failure(reason: "the cluster has ended")
    }

    private static func compiled() throws -> String {
        let program = NSTemporaryDirectory() + "sonde-kafka-cluster-\(getpid())"
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/cluster.c").path
        let compiler = try TestProcess("gcc", ["-O1", "-o", program, source, "-lrdkafka", "-lpthread"])
        guard compiler.wait() == 0 else { throw Failure(reason: compiler.output) }
        atexit { unlink(NSTemporaryDirectory() + "sonde-kafka-cluster-\(getpid())") }
        return program
    }
}
