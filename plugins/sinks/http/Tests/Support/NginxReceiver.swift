import Foundation
import Glibc
import SondeTestKit

/// nginx as the receiver, from its own directory.
final class NginxReceiver {
    /// The log's line of one request.
    struct Entry: Decodable, Hashable {
        var connection: String
        var requests: String
        var file: String
        var type: String
        var batch: String
        var points: String
        var `protocol`: String
    }

    /// It does not listen, or has not logged what was sent.
    struct Trouble: Error {
        let log: String
    }

    let port: UInt16
    private let directory: TemporaryDirectory
    private let process: TestProcess

    /// Starts it on a free port; `tls` are further lines of its server block.
    init(tls: [String] = []) throws {
        directory = try TemporaryDirectory()
        // Bound with SO_REUSEPORT on both sides: the port is reserved from the choice to nginx's own bind.
        let (port, holder) = try Loopback.reservedPort()
        defer { close(holder) }
        self.port = port
        let configuration = try Fixtures.text("nginx.conf")
            .replacingOccurrences(of: "@DIR@", with: directory.path)
            .replacingOccurrences(of: "@LISTEN@", with: "127.0.0.1:\(port)\(tls.isEmpty ? "" : " ssl http2") reuseport")
            .replacingOccurrences(of: "@TLS@", with: tls.joined(separator: "\n        "))
        let file = try directory.write("nginx.conf", configuration)
        process = try TestProcess(
            "nginx", ["-p", directory.path, "-c", file, "-e", directory.file("start.log")], in: directory.path)
        guard Loopback.awaitListener(port) else {
            throw Trouble(log: try directory.read("start.log"))
        }
    }

    func url(_ scheme: String = "http", path: String = "/ingest") -> String {
        "\(scheme)://127.0.0.1:\(port)\(path)"
    }

    /// Ends it at once.
    func end() { process.stop() }

    /// The log, once it has `count` entries or more.
    ///
    /// nginx writes an entry after its answer, so the last one may be on its way.
    func entries(_ count: Int) throws -> [Entry] {
        for _ in 0..<2_000 {
            let lines = try directory.read("access.log").split(separator: "\n", omittingEmptySubsequences: false)
            // What follows the last line feed is not a whole line.
            guard lines.count <= count else {
                return try lines.dropLast().map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
            }
            usleep(10_000)
        }
        throw Trouble(log: try directory.read("error.log"))
    }

    /// A body as it arrived.
    func body(of entry: Entry) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: entry.file)))
    }
}
