import Foundation
import Glibc

/// A running `sonde web`.
struct WebServer {
    let process: ProcessGroup
    let workspace: Workspace
    let port: UInt16
    /// The token of the link; empty: it has none.
    let token: String

    /// What it wrote to standard error so far.
    var log: String { workspace.read("web.err") }

    /// Starts one for the agent at the workspace's socket, at a free port of 127.0.0.1.
    init(_ workspace: Workspace, _ arguments: [String] = []) async throws {
        self.workspace = workspace
        process = try workspace.start(
            [Checkout.sonde, "web", "--listen", "127.0.0.1:0", "--socket", workspace.path("sonde.sock")] + arguments,
            as: "web")
        let link = try await eventually("the link of the page; \(workspace.read("web.err"))") {
            workspace.read("web.out").split(separator: "\n").first.map(String.init)
        }
        let parts = link.split(separator: "#token=")
        token = parts.count == 2 ? String(parts[1]) : ""
        let port = parts[0].split(separator: ":").last.flatMap { UInt16($0.filter(\.isNumber)) }
        guard let port else { throw TimedOut(condition: "a port in \(link)", limit: .zero) }
        self.port = port
    }

    /// Sends a request and waits for its answer.
    func ask(
        _ method: String, _ path: String, headers: [String] = [], host: String? = nil, body: String? = nil
    ) async throws -> WebClient.Answer {
        let client = try WebClient(port)
        client.write(request(method, path, headers: headers, host: host, body: body))
        return try await eventually("an answer to \(method) \(path); \(log)") { client.answer() }
    }

    /// A request as text.
    func request(
        _ method: String, _ path: String, headers: [String] = [], host: String? = nil, body: String? = nil
    ) -> String {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// Opens a page.
    func open(headers: [String] = []) async throws -> OpenPage {
        let client = try WebClient(port)
        client.write(request("GET", "/events", headers: headers))
        return try await OpenPage(client, self)
    }
}

/// A page that a test has opened.
final class OpenPage {
    let client: WebClient
    private let server: WebServer
    /// What the first event said.
    let session: [String: Any]

    init(_ client: WebClient, _ server: WebServer) async throws {
        (self.client, self.server) = (client, server)
        session = try await eventually("the first event of a page") {
            Self.events(client, "session").first
        }
    }

    var id: String { session["session"] as? String ?? "" }

    /// How many events with changes have come.
    var eventCount: Int { Self.events(client, "view").count }

    /// The newest of all members.
    var view: [String: Any] {
        Self.events(client, "view").reduce(into: [:]) { view, change in view.merge(change) { $1 } }
    }

    /// Waits until the view is as wanted.
    func wait(_ what: String, within limit: Duration = .seconds(40), _ condition: ([String: Any]) -> Bool) async throws
    {
        do {
            try await eventually(what, within: limit) { condition(view) }
        } catch let late as TimedOut {
            throw TimedOut(condition: "\(late.condition); the page: \(view)", limit: late.limit)
        }
    }

    /// Sends an intent; returns the status.
    @discardableResult
    func want(_ word: String, _ value: String? = nil, headers: [String] = []) async throws -> Int {
        let value = value.map { ",\"value\":\($0)" } ?? ""
        return try await server.ask(
            "POST", "/intent?session=\(id)", headers: headers, body: "{\"do\":\"\(word)\"\(value)}"
        ).status
    }

    private static func events(_ client: WebClient, _ name: String) -> [[String: Any]] {
        guard let text = client.stream()?.text else { return [] }
        return text.split(separator: "\n\n").compactMap { event in
            guard event.contains("event: \(name)\n"), let data = event.split(separator: "\ndata: ").last else {
                return nil
            }
            return try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
        }
    }
}
