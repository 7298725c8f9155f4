import Foundation
import Glibc

/// nginx as the receiver, with its files in the workspace.
struct NginxReceiver {
    /// What its log says of one request.
    struct Entry: Decodable {
        var batch: String
        var sink: String
        var points: String
        var body: String
    }

    static let isInstalled = access("/usr/sbin/nginx", X_OK) == 0

    let url: String
    private let workspace: Workspace

    init(_ workspace: Workspace) async throws {
        self.workspace = workspace
        let (holder, port) = try Loopback.reservedPort()
        defer { close(holder) }
        url = "http://127.0.0.1:\(port)/ingest"
        let text = try Checkout.text("Tests/EndToEndTests/Fixtures/nginx.conf")
            .replacing("@DIR@", with: workspace.directory).replacing("@PORT@", with: "\(port)")
        let file = try workspace.write("nginx.conf", text)
        let start = ["/usr/sbin/nginx", "-p", workspace.directory, "-c", file, "-e", workspace.path("nginx.start")]
        _ = try workspace.start(start, as: "nginx")
        try await eventually("nginx listens") { Loopback.answers(port) }
    }

    /// Every request so far, oldest first.
    func entries() throws -> [Entry] {
        // What follows the last line feed is not a whole line yet.
        try PointLine.whole(workspace.read("nginx.log")).map {
            try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
    }
}
