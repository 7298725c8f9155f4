import Foundation
import Glibc
import Testing

/// The pages of `sonde web`, against a running agent.
@Suite struct WebPageTests {
    private static func configuration(_ workspace: Workspace, host: String = "probe-1") -> String {
        """
        version: 1
        agent: { interval: 100ms, host: \(host), control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s, state_dir: \(workspace.path("state")) }
        sources:
          - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("linux-6.18")), tables: [dev, snmp, sockstat] }
          - { id: gone, plugin: procnet, level: all, proc: /nonexistent }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private func usePages(
        _ arguments: [String] = [], _ body: (Workspace, Agent, WebServer) async throws -> Void
    ) async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForTimes(4, in: "local")
            try await body(workspace, agent, try await WebServer(workspace, arguments))
        }
    }

    @Test func thePageAndItsFilesAreServedWithAPolicyThatRunsNothingElse() async throws {
        try await usePages { _, _, web in
            let page = try await web.ask("GET", "/")
            #expect(page.status == 200)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
            #expect(!policy.contains("unsafe"))
            #expect(page.headers["x-content-type-options"] == "nosniff")
            #expect(page.headers["cross-origin-opener-policy"] == "same-origin")
            let script = try await web.ask("GET", "/app.js", headers: ["Accept-Encoding: gzip"])
            #expect(script.headers["content-encoding"] == "gzip")
            let mark = try #require(script.headers["etag"])
            let again = try await web.ask("GET", "/app.js", headers: ["If-None-Match: \(mark)"])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(try await web.ask("GET", "/healthz", host: "anything").text == "ok\n")
            #expect(try await web.ask("GET", "/../etc/passwd").status == 404)
        }
    }

    @Test func anOpenPageShowsTheAgentAndIsSentOnlyWhatChanges() async throws {
        try await usePages { _, _, web in
            let page = try await web.open()
            #expect(page.id.count == 32)
            #expect(page.session["canOrder"] as? Bool == false)
            try await page.wait("the agent") { ($0["agent"] as? [String: Any])?["host"] as? String == "probe-1" }
            try await page.wait("rows") { (($0["table"] as? [String: Any])?["rows"] as? [Any])?.isEmpty == false }
            let count = page.eventCount
            try await eventually("more events") { page.eventCount >= count + 2 }
            let text = try #require(page.client.stream()?.text)
            let last = try #require(text.components(separatedBy: "event: view\n").last)
            #expect(!last.contains("\"ranges\""), "what has not changed was sent again")
        }
    }

    @Test func aPageShowsTheNumbersOfTheSnapshot() async throws {
        try await usePages { workspace, _, web in
            let page = try await web.open()
            try await page.want("toggleIdleRows")
            try await page.want("show", "\"connections\"")
            try await page.wait("connections") { view in
                let rows = (view["table"] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
                return view["tab"] as? String == "connections" && rows.count > 1
            }
            let snapshot = try await workspace.sonde(
                "snapshot", "--socket", workspace.path("sonde.sock"), "--all")
            let rows = (page.view["table"] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
            for row in rows {
                let cells = try #require(row["cells"] as? [String])
                let line = snapshot.output.split(separator: "\n").first { line in
                    let words = line.split(separator: " ")
                    return words.count > 2 && words[0] == cells[0] && words[1] == cells[1]
                }
                #expect(line?.split(separator: " ").contains(Substring(cells[2])) ?? false, "\(cells)")
            }
        }
    }

    @Test func whatAPageWantsChangesItAndNoOther() async throws {
        try await usePages { _, _, web in
            let page = try await web.open()
            let other = try await web.open()
            try await page.wait("the agent") { $0["time"] is Double }
            #expect(try await page.want("show", "\"interfaces\"") == 204)
            #expect(try await page.want("range", "\"6h\"") == 204)
            #expect(try await page.want("chart", "\"bar\"") == 204)
            #expect(try await page.want("sort", "\"name\"") == 204)
            #expect(try await page.want("type", "\"lo\"") == 204)
            try await page.wait("what was wanted") { view in
                let rows = (view["table"] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
                return view["tab"] as? String == "interfaces" && view["range"] as? String == "6h"
                    && view["chart"] as? String == "bar" && view["sort"] as? String == "name"
                    && view["filter"] as? String == "lo"
                    && rows.allSatisfy { ($0["id"] as? String ?? "").contains("lo") }
            }
            #expect(other.view["tab"] as? String == "overview")
            #expect(other.view["range"] as? String == "1h")
        }
    }

    @Test func anAgentThatIsGoneIsSaidAndFoundAgain() async throws {
        try await usePages { workspace, agent, web in
            let page = try await web.open()
            try await page.wait("the agent") { $0["time"] is Double }
            #expect(try await agent.stop() == .exited(0))
            try await page.wait("its absence") { view in
                (view["agent"] as? [String: Any])?["state"] as? String == "gone"
                    && (view["failure"] as? [String: Any])?["recovery"] as? String == "retry"
            }
            _ = try workspace.startAgent(Self.configuration(workspace, host: "probe-2"))
            try await page.wait("the other agent") { view in
                (view["agent"] as? [String: Any])?["host"] as? String == "probe-2" && view["failure"] is NSNull
            }
        }
    }

    @Test func aSourceThatFailsTriesAgainForAClientWithTheToken() async throws {
        try await usePages { _, _, web in
            let page = try await web.open()
            try await page.wait("the failure") { view in
                (view["failures"] as? [[String: Any]])?.contains { $0["plugin"] as? String == "gone" } ?? false
            }
            #expect(try await page.want("recover", "\"gone\"") == 401)
            #expect(try await page.want("recover", "\"gone\"", headers: ["Authorization: Bearer nonsense"]) == 401)
            let right = ["Authorization: Bearer \(web.token)"]
            #expect(try await page.want("recover", "\"gone\"", headers: right) == 204)
            try await page.wait("what was ordered") { $0["order"] as? String == "gone tries again now" }
        }
    }

    @Test(arguments: ["csv", "json"])
    func aFileOfTheChartIsDownloaded(_ format: String) async throws {
        try await usePages { workspace, _, web in
            let page = try await web.open()
            try await page.wait("the agent") { $0["time"] is Double }
            let file = try await web.ask("GET", "/export?session=\(page.id)&format=\(format)")
            #expect(file.status == 200)
            #expect(
                file.headers["content-disposition"]
                    == "attachment; filename=\"sonde-bandwidth.receive-1h.\(format)\"")
            if format == "json" {
                #expect(file.json["schema"] as? String == "sonde.history.export/1")
            } else {
                #expect(file.text.hasPrefix("time,step_seconds,metric,"))
            }
            try await page.wait("what was written") { ($0["export"] as? [String: Any])?["isComplete"] as? Bool == true }
        }
    }

    @Test func pagesThatAreClosedAreForgottenAndAServerWithoutPagesAsksNothing() async throws {
        try await usePages { _, _, web in
            var page: OpenPage? = try await web.open()
            let id = try #require(page?.id)
            try await page?.wait("the agent") { $0["time"] is Double }
            page = nil
            try await eventually("the page is forgotten") {
                try await web.ask("POST", "/intent?session=\(id)", body: "{\"do\":\"dismiss\"}").status == 404
            }
            try await eventually("no connection to the agent is left") { Self.unixSockets(of: web.process) == 0 }
        }
    }

    /// How many sockets of a process lead to an agent.
    private static func unixSockets(of process: ProcessGroup) -> Int {
        let folder = "/proc/\(process.processID)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let table = (try? String(contentsOfFile: "/proc/\(process.processID)/net/unix", encoding: .utf8)) ?? ""
        return names.filter { name in
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"),
                link.hasPrefix("socket:[")
            else { return false }
            let number = link.dropFirst(8).dropLast()
            return table.split(separator: "\n").contains { $0.split(separator: " ").dropFirst(6).first == number }
        }.count
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalEndsItWithItsPages(_ signal: Int32) async throws {
        try await usePages { _, _, web in
            let page = try await web.open()
            try await page.wait("the agent") { $0["time"] is Double }
            web.process.send(signal)
            #expect(try await web.process.waitForEnd(within: .seconds(8)) == .exited(0))
            try await eventually("the stream has ended") {
                _ = page.client.drain()
                return page.client.hasEnded
            }
        }
    }
}
