import Foundation
import Glibc

/// librdkafka's own mock cluster with the topic `sonde`, of one partition, which is read from the start.
final class KafkaCluster {
    /// What came of a message.
    struct Message {
        let headers: [String: String]
        let body: String

        /// What tells one message from another.
        var name: String { "\(headers["Sonde-Batch"] ?? "") \(headers["Sonde-Part"] ?? "")" }
    }

    /// `host:port` of each broker.
    let brokers: [String]
    private let input: Int32
    private let workspace: Workspace
    private let folder: String

    /// A cluster of three brokers, which ends with the workspace.
    init(_ workspace: Workspace) async throws {
        self.workspace = workspace
        folder = try workspace.makeFolder("kafka")
        let source = Checkout.path("plugins/sinks/kafka/Tests/Fixtures/cluster.c")
        let compiled = try await workspace.run([
            "/usr/bin/gcc", "-O1", "-o", workspace.path("cluster"), source, "-lrdkafka", "-lpthread",
        ])
        guard compiled.end == .exited(0) else { throw Refusal(output: compiled.errors) }
        // Held open for both: the program ends when the last writer closes it.
        let pipe = workspace.path("cluster.in")
        guard mkfifo(pipe, 0o600) == 0 else { throw Refusal(output: "no FIFO") }
        input = open(pipe, O_RDWR | O_CLOEXEC)
        _ = try workspace.start(
            ["/bin/sh", "-c", "exec \"$0\" 3 \"$1\" < \"$2\"", workspace.path("cluster"), folder, pipe], as: "cluster")
        var first: Substring?
        try await eventually("the cluster names its brokers") {
            first = workspace.read("cluster.out").split(separator: "\n").first
            return first != nil
        }
        brokers = (first ?? "").split(separator: ",").map(String.init)
        try await command("topic sonde 1")
        try await command("read sonde 1")
    }

    deinit {
        close(input)
    }

    /// The fixture was not compiled or not started.
    struct Refusal: Error {
        let output: String
    }

    private var orders = 0

    /// Gives an order, as the fixture reads them, and waits until it is carried out.
    func command(_ text: String) async throws {
        orders += 1
        let line = Array("\(text)\n".utf8)
        guard write(input, line, line.count) == line.count else { throw Refusal(output: "the cluster has ended") }
        let count = orders
        try await eventually("the cluster obeys '\(text)'") {
            self.workspace.read("cluster.out").split(separator: "\n").count { $0 == "ok" } >= count
        }
    }

    /// The messages in the order in which they came.
    ///
    /// A broker knows a message that a producer sends again by its number, and drops it; the mock cluster does not look at
    /// numbers. So does this.
    func messages() throws -> [Message] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".head") }
        var messages: [Message] = []
        for name in names.sorted() {
            let pairs = workspace.read("kafka/\(name)").split(separator: "\n").map { line in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), String(parts[1]))
            }
            let message = Message(
                headers: Dictionary(uniqueKeysWithValues: pairs),
                body: workspace.read("kafka/\(name.dropLast(5)).body"))
            if messages.last?.name != message.name { messages.append(message) }
        }
        return messages
    }
}
