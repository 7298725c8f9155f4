import Foundation
import Glibc

/// An HTTPS server of signed configurations with its own certificate authority, and the key that signs.
struct ConfigurationServer {
    /// One request, as the server saw it.
    struct Request: Decodable {
        var status: Int
        var path: String
        var agent: String?
        var etag: String?
        var authorization: String?
    }

    /// The commands of the guide, with which an operator makes a key and signs a file.
    struct GuideCommands {
        let makeKey: String
        let showKey: String
        let sign: String

        init() throws {
            let guide = try Checkout.text("docs/guide/remote-configuration.md")
            func block(_ name: String) throws -> String {
                let marker = "<!-- test: \(name) -->\n```sh\n"
                guard let start = guide.range(of: marker), let end = guide[start.upperBound...].range(of: "```") else {
                    throw TimedOut(condition: "the guide has '\(name)'", limit: .zero)
                }
                return String(guide[start.upperBound..<end.lowerBound])
            }
            makeKey = try block("make-key")
            showKey = try block("show-key")
            sign = try block("sign")
        }
    }

    static let isPossible = Python.path != nil && access("/usr/bin/openssl", X_OK) == 0

    let port: UInt16
    let publicKey: String
    let folder: String
    private let commands: GuideCommands
    private let workspace: Workspace
    private let process: ProcessGroup

    var url: String { "https://localhost:\(port)/fleet.signed" }
    var caFile: String { "\(folder)/ca.pem" }

    /// Starts one in a folder of the workspace; on `port` one that was there before.
    init(_ workspace: Workspace) async throws {
        self.workspace = workspace
        folder = try workspace.makeFolder("server")
        commands = try GuideCommands()
        try await Self.shell(workspace, folder, Self.certificates)
        try await Self.shell(workspace, folder, commands.makeKey)
        let shown = try await Self.shell(workspace, folder, commands.showKey)
        publicKey = String(shown.split(separator: "\n").first { $0.hasPrefix("MCow") } ?? "")
        let script = Checkout.path("Tests/EndToEndTests/Fixtures/config_server.py")
        process = try workspace.start([Python.path ?? "", "-B", script, "0", folder], as: "server-log")
        port = try await eventually("the server has a port") {
            UInt16(workspace.read("server-log.out").trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    private static let certificates = """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.pem
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout key.pem -out csr.pem
        printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\n' > names
        openssl x509 -req -in csr.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem
        """

    @discardableResult
    private static func shell(_ workspace: Workspace, _ folder: String, _ script: String) async throws -> String {
        let result = try await workspace.run(["/bin/sh", "-ec", "cd \(folder)\n\(script)"])
        guard result.end == .exited(0) else {
            throw TimedOut(condition: "\(script): \(result.errors)", limit: .zero)
        }
        return result.output
    }

    /// Signs a text by the commands of the guide, and serves it.
    func publish(_ text: String) async throws {
        try await sign(text)
        try FileManager.default.moveOver("\(folder)/fleet.signed", to: "\(folder)/file")
    }

    /// Serves bytes as they are.
    func serve(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: "\(folder)/next"))
        try FileManager.default.moveOver("\(folder)/next", to: "\(folder)/file")
    }

    /// The signed file of a text.
    @discardableResult
    func sign(_ text: String) async throws -> [UInt8] {
        try text.write(toFile: "\(folder)/fleet.yaml", atomically: false, encoding: .utf8)
        try await Self.shell(workspace, folder, commands.sign)
        return Array(FileManager.default.contents(atPath: "\(folder)/fleet.signed") ?? Data())
    }

    /// Has it answer in another way: a word of config_server.py; empty: as it should.
    func misbehave(_ mode: String) throws {
        try mode.write(toFile: "\(folder)/mode", atomically: true, encoding: .utf8)
    }

    /// It ends.
    func stop() { process.kill() }

    /// Every request so far.
    var requests: [Request] {
        PointLine.whole(workspace.read("server/log")).compactMap {
            try? JSONDecoder().decode(Request.self, from: Data($0.utf8))
        }
    }
}

extension FileManager {
    /// Renames a file over another.
    fileprivate func moveOver(_ from: String, to path: String) throws {
        guard rename(from, path) == 0 else { throw ProcessGroup.Failure(program: path, code: errno) }
    }
}
