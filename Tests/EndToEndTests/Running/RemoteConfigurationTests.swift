import Foundation
import Glibc
import Testing

/// A remote configuration over a real HTTPS server: fetched, checked, in force, proved, taken back, kept.
@Suite(.enabled(if: ConfigurationServer.isPossible))
struct RemoteConfigurationTests {
    private static func base(_ workspace: Workspace, _ server: ConfigurationServer, _ remote: String = "") -> String {
        """
        version: 1
        agent:
          interval: 200ms
          shutdown_grace: 2s
          state_dir: \(workspace.path("state"))
          control_socket: \(workspace.path("control.sock"))
          remote: { url: \(server.url), public_key: "\(server.publicKey)", ca_file: \(server.caFile), interval: 1s,
                    probation: 2s, timeout: 2s\(remote) }
        sources:
          - { id: kernel, plugin: procnet, tables: [dev] }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private static func layer(_ serial: Int, _ more: String = "") -> String {
        """
        serial: \(serial)
        agent: { labels: { serial: "\(serial)" } }
        \(more)

        """
    }

    private static func remote(_ workspace: Workspace) async throws -> [String: Any] {
        let result = try await workspace.run(
            [Checkout.sonde, "status", "--socket", workspace.path("control.sock"), "--format", "json"])
        // Before it has its socket there is no answer.
        let status = (try? JSONSerialization.jsonObject(with: Data(result.output.utf8))) as? [String: Any] ?? [:]
        return (status["agent"] as? [String: Any])?["remote"] as? [String: Any] ?? [:]
    }

    /// Waits until the agent says so of its remote configuration.
    private static func wait(_ agent: Agent, _ state: String, _ serial: Int?) async throws {
        let end = ContinuousClock.now + .seconds(40)
        var last: [String: Any] = [:]
        while ContinuousClock.now < end {
            last = try await remote(agent.workspace)
            if last["state"] as? String == state, last["serial"] as? Int == serial { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw TimedOut(condition: "\(state) \(serial ?? 0), not \(last); \(agent.log)", limit: .seconds(40))
    }

    @Test func aSignedFileIsInForceProvesItselfAndSurvivesAStartWithoutTheServer() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            try workspace.write("token", "t0ken\n")
            chmod(workspace.path("token"), 0o600)
            let base = Self.base(workspace, server, ", auth: { bearer: \"${file:\(workspace.path("token"))}\" }")
            try await server.publish(Self.layer(1, "sources: [{ id: second, plugin: procnet, labels: { x: y } }]"))
            let agent = try workspace.startAgent(base)
            try await Self.wait(agent, "good", 1)
            try await agent.wait(until: "points have the label") { workspace.read("local").contains(#""serial":"1""#) }
            #expect(workspace.read("local").contains(#""x":"y""#))
            #expect(!agent.log.contains("t0ken"))
            let first = try #require(server.requests.first)
            #expect(first.authorization == "Bearer t0ken")
            #expect(first.agent?.hasPrefix("sonde/") == true)
            try await agent.wait(until: "it asks whether there is more") { server.requests.last?.status == 304 }
            let table = try await workspace.run(
                [Checkout.sonde, "status", "--socket", workspace.path("control.sock")])
            #expect(table.output.contains("remote configuration 1: good"))
            let shown = try await workspace.sonde("config", "show", "--origin", "-c", workspace.path("sonde.yaml"))
            #expect(shown.output.contains("serial: \"1\"  # \(server.url)#1:2"), "\(shown.output)")
            #expect(try await agent.stop() == .exited(0))

            server.stop()
            try FileManager.default.removeItem(atPath: workspace.path("local"))
            let next = try workspace.startAgent(base)
            try await Self.wait(next, "good", 1)
            try await next.wait(until: "points have the label") { workspace.read("local").contains(#""serial":"1""#) }
            #expect(!workspace.read("local").contains(#""labels":{}"#))
            try await next.waitForLog("SND-RMT001")
            #expect(try await next.stop() == .exited(0))
        }
    }

    @Test func whatIsNotSignedWholeNewAndRightChangesNothing() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            let old = try await server.sign(Self.layer(1))
            try await server.publish(Self.layer(5))
            let agent = try workspace.startAgent(Self.base(workspace, server, ", max_bytes: 2kB"))
            try await Self.wait(agent, "good", 5)
            let reloads = agent.log.matches(of: /was read again/).count
            let state = try Data(contentsOf: URL(filePath: workspace.path("state/remote/state")))
            func refused(_ code: String, _ text: String = "") async throws {
                try await agent.wait(until: "\(code) \(text)") {
                    agent.log.split(separator: "\n").contains {
                        $0.contains("[\(code)]") && (text.isEmpty || $0.contains(text))
                    }
                }
            }
            try server.serve(old)
            try await refused("SND-RMT007")
            try server.serve(Array(Self.layer(9).utf8))
            try await refused("SND-RMT006", "not signed")
            let whole = try await server.sign(Self.layer(6))
            try server.serve(whole.dropLast(2) + [0x20, 0x0a])
            try await refused("SND-RMT006", "its signature")
            try server.serve(Array(whole.dropLast(10)))
            try await refused("SND-RMT006", "its signature")
            try server.serve(Array("sonde-signed-1 AAAA\n".utf8) + Array(Self.layer(9).utf8))
            try await refused("SND-RMT006", "no signature")
            try server.serve(try await server.sign("agent: { interval: 1s }\nserial: 9\n"))
            try await refused("SND-RMT006", "serial: 7")
            try server.serve(try await server.sign("serial: 6\n- a list\n"))
            try await refused("SND-RMT008")
            try server.serve(try await server.sign("serial: 7\nsources: { id: x }\n"))
            try await refused("SND-RMT008", "must be a list")
            try server.serve(try await server.sign("serial: 8\nagent: { state_dir: /x }\n"))
            try await refused("SND-RMT008", "SND-CFG042")
            try server.serve(
                try await server.sign("serial: 8\nsources: [{ id: e, plugin: exec, command: [/bin/true] }]\n"))
            try await refused("SND-RMT008", "runs programs")
            try server.serve(try await server.sign(Self.layer(9, "# " + String(repeating: "x", count: 4_096))))
            try await refused("SND-RMT005")
            try server.misbehave("truncate")
            try server.serve(whole)
            try await refused("SND-RMT001", "remaining")
            for (status, code) in [(403, "SND-RMT002"), (404, "SND-RMT003"), (302, "SND-RMT003"), (503, "SND-RMT001")] {
                try server.misbehave("status \(status)")
                try await refused(code, "answers \(status)")
            }
            // Endless, of no length that it says, and slower than the agent waits.
            try server.misbehave("chunked 100000")
            let before = server.requests.count
            try await agent.wait(until: "the endless one does not hold it up") { server.requests.count > before + 2 }
            try server.misbehave("hang 10")
            try await refused("SND-RMT001", "timed out")
            #expect(agent.log.matches(of: /was read again/).count == reloads)
            #expect(try Data(contentsOf: URL(filePath: workspace.path("state/remote/state"))) == state)
            try await Self.wait(agent, "good", 5)
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func anotherAuthorityAndAnotherKeyAreNotTrusted() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            try await server.publish(Self.layer(1))
            let base = Self.base(workspace, server)
            let agent = try workspace.startAgent(base.replacing("ca_file: \(server.caFile), ", with: ""))
            try await agent.waitForLog("SND-RMT004")
            #expect(try await agent.stop() == .exited(0))
            // The last bits of a key that is well formed.
            let other = String(server.publicKey.dropLast(4)) + (server.publicKey.hasSuffix("AAA=") ? "BBA=" : "AAA=")
            let second = try workspace.startAgent(base.replacing(server.publicKey, with: other))
            try await second.waitForLog("SND-RMT006")
            try await Self.wait(second, "none", nil)
            #expect(try await second.stop() == .exited(0))
            #expect(!second.log.contains("was read again"))
        }
    }

    @Test func whatBreaksSomethingIsTakenBackWithoutAGap() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(401)]) { receiver in
                let server = try await ConfigurationServer(workspace)
                try await server.publish(Self.layer(1))
                let agent = try workspace.startAgent(Self.base(workspace, server))
                try await Self.wait(agent, "good", 1)
                let sink = "sinks: [{ id: central, plugin: http, url: \"\(receiver.url)\", batch: { wait: 20ms } }]"
                try await server.publish(Self.layer(2, sink))
                try await Self.wait(agent, "rolled_back", 1)
                #expect(agent.log.contains("remote configuration 2 was taken back: central: SND-HTTP401"))
                // It is kept before the reload.
                try await agent.waitForLog("was read again: removed central")
                let status = try await workspace.run(
                    [Checkout.sonde, "status", "--check", "--socket", workspace.path("control.sock")])
                #expect(status.output.contains("agent  SND-RMT009"))
                #expect(!status.output.contains("central  http"))
                // It stays out over a start, and a right one with a higher serial comes in.
                #expect(try await agent.stop() == .exited(0))
                let next = try workspace.startAgent(Self.base(workspace, server))
                try await Self.wait(next, "rolled_back", 1)
                try await server.publish(Self.layer(3))
                try await Self.wait(next, "good", 3)
                #expect(try await next.stop() == .exited(0))
                let missed = PointLine.whole(workspace.read("local")).filter { $0.contains("sonde.loss") }
                #expect(missed.allSatisfy { !$0.contains("kernel") }, "\(missed)")
            }
        }
    }

    @Test func levelsOfSavingNeitherTakeItBackNorEndWithIt() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(401)]) { receiver in
                let server = try await ConfigurationServer(workspace)
                try await server.publish(Self.layer(1))
                // Less than the requests cost alone: every level is taken, and none is taken back.
                let base = Self.base(workspace, server).replacing("probation: 2s", with: "probation: 8s")
                    .replacing("  shutdown_grace", with: "  limits: { cpu: 0.1% }\n  shutdown_grace")
                let agent = try workspace.startAgent(base)
                try await agent.waitForLog("level 6 of 6")
                try await Self.wait(agent, "good", 1)
                #expect(agent.log.matches(of: /was read again/).count == 1)
                #expect(!agent.log.contains("SND-RMT009"))
                let sink = "sinks: [{ id: central, plugin: http, url: \"\(receiver.url)\", batch: { wait: 20ms } }]"
                let source = "sources: [{ id: kernel, override: true, labels: { a: b } }]"
                try await server.publish(Self.layer(2, "\(source)\n\(sink)"))
                try await Self.wait(agent, "rolled_back", 1)
                try await agent.waitForLog("was read again: changed kernel; removed central")
                // Both reloads began the source anew, and ten times as seldom as it is configured.
                func times() throws -> [String] {
                    let lines = PointLine.whole(workspace.read("local"))
                    return PointLine.times(lines.filter { $0.contains("\"name\":\"system.network.io\"") })
                }
                let before = try times().last ?? ""
                try await agent.wait(until: "it collects") { try times().filter { $0 > before }.count > 6 }
                let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
                // The last collection of the one before may be among them, and the second has a phase of its own.
                let after = try times().filter { $0 > before }.dropFirst(2)
                    .map { try style.parse($0).timeIntervalSince1970 }
                #expect(zip(after.dropFirst(), after).allSatisfy { $0 - $1 > 1.8 }, "\(after)")
                // None was taken back.
                #expect(!agent.log.contains("info within agent.limits"))
                #expect(try await agent.stop() == .exited(0))
            }
        }
    }

    @Test func aCentreThatIsDownProlongsTheProbationUntilItRefuses() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(503), .answer(503), .answer(503), .answer(404)]) { receiver in
                let server = try await ConfigurationServer(workspace)
                let sink =
                    "sinks: [{ id: central, plugin: http, url: \"\(receiver.url)\", batch: { wait: 20ms }, "
                    + "retry: { base: 2s, cap: 2s } }]"
                try await server.publish(Self.layer(1, sink))
                let agent = try workspace.startAgent(Self.base(workspace, server))
                try await agent.wait(until: "the receiver has refused for long") { receiver.exchanges.count >= 3 }
                let remote = try await Self.remote(workspace)
                #expect(remote["state"] as? String == "probation")
                #expect(remote["waits_for"] as? [String] == ["central"])
                try await Self.wait(agent, "rolled_back", nil)
                #expect(agent.log.contains("central: SND-HTTP404"))
                #expect(try await agent.stop() == .exited(0))
            }
        }
    }

    @Test func anAgentThatIsKilledAgainAndAgainStartsWithTheGoodOne() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            try await server.publish(Self.layer(1))
            let base = Self.base(workspace, server)
            let first = try workspace.startAgent(base)
            try await Self.wait(first, "good", 1)
            #expect(try await first.stop() == .exited(0))
            let slow = base.replacing("probation: 2s", with: "probation: 10m")
            try await server.publish(Self.layer(2))
            for turn in 0..<3 {
                let agent = try workspace.startAgent(slow)
                try await Self.wait(agent, "probation", 2)
                #expect(turn < 3)
                agent.process.send(SIGKILL)
                _ = try await agent.process.waitForEnd(within: .seconds(10))
            }
            let last = try workspace.startAgent(slow)
            try await Self.wait(last, "rolled_back", 1)
            #expect(last.log.contains("SND-RMT009"))
            #expect(try await last.stop() == .exited(0))
        }
    }

    @Test func whatTheAgentCannotStartWithIsTakenBack() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            let base = Self.base(workspace, server).replacing("probation: 2s", with: "probation: 10m")
            let second = "  - { id: second, plugin: procnet, labels: { a: b } }\nsinks:"
            try await server.publish(
                Self.layer(1, "sources: [{ id: second, override: true, interval: 1s }]"))
            let agent = try workspace.startAgent(base.replacing("sinks:", with: second))
            try await Self.wait(agent, "probation", 1)
            #expect(try await agent.stop() == .exited(0))
            // The host's files have changed: what it overrides is gone.
            let next = try workspace.startAgent(base)
            try await Self.wait(next, "rolled_back", nil)
            try await next.waitForLog("SND-RMT009")
            #expect(try await next.stop() == .exited(0))
        }
    }

    @Test func aGoodOneThatDoesNotFitTheHostIsLeftOutUntilItDoes() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            let second = "  - { id: second, plugin: procnet, labels: { a: b } }\nsinks:"
            let base = Self.base(workspace, server)
            let whole = base.replacing("sinks:", with: second)
            try await server.publish(Self.layer(1, "sources: [{ id: second, override: true, interval: 1s }]"))
            let agent = try workspace.startAgent(whole)
            try await Self.wait(agent, "good", 1)
            #expect(try await agent.stop() == .exited(0))
            let next = try workspace.startAgent(base)
            try await Self.wait(next, "ignored", nil)
            let status = try await workspace.run(
                [Checkout.sonde, "status", "--socket", workspace.path("control.sock")])
            #expect(status.output.contains("SND-RMT012"))
            try workspace.write("sonde.yaml", whole)
            _ = try await workspace.run([Checkout.sonde, "reload", "--socket", workspace.path("control.sock")])
            try await Self.wait(next, "good", 1)
            #expect(try await next.stop() == .exited(0))
        }
    }

    @Test func killsAtAnyInstantLeaveOneOrTheOther() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            let base = Self.base(workspace, server).replacing("probation: 2s", with: "probation: 1s")
            var random = SystemRandomNumberGenerator()
            var newest = 0
            for serial in 1...12 {
                try await server.publish(Self.layer(serial))
                let agent = try workspace.startAgent(base)
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...2_500, using: &random)))
                agent.process.send(SIGKILL)
                _ = try await agent.process.waitForEnd(within: .seconds(10))
                #expect(!agent.log.contains("SND-RMT010"), "\(agent.log)")
                let kept = workspace.read("state/remote/state").firstMatch(of: /"newest":(\d+)/).flatMap { Int($0.1) }
                #expect((newest...serial).contains(kept ?? 0))
                newest = kept ?? 0
            }
            try await server.publish(Self.layer(20))
            let agent = try workspace.startAgent(base)
            try await Self.wait(agent, "good", 20)
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aFileIsCheckedBeforeItIsSigned() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            let file = try workspace.write("sonde.yaml", Self.base(workspace, server))
            let good = try workspace.write("good.yaml", Self.layer(1))
            let bad = try workspace.write("bad.yaml", "serial: 1\nagent: { interval: never }\n")
            #expect(try await workspace.sonde("check", "-c", file, "--remote", good).end == .exited(0))
            let result = try await workspace.sonde("check", "-c", file, "--remote", bad)
            #expect(result.end == .exited(78))
            #expect(result.errors.contains("\(bad):2:20: error[SND-CFG016]"))
        }
    }

    @Test func theDaemonMapsNeitherTLSNorASecondThreadWithoutARemoteConfiguration() async throws {
        try await Workspace.use { workspace in
            let server = try await ConfigurationServer(workspace)
            try await server.publish(Self.layer(1))
            func figures(_ agent: Agent) throws -> (maps: String, threads: [String]) {
                let folder = "/proc/\(agent.process.processID)"
                let tasks = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
                let names = tasks.map {
                    (try? String(contentsOfFile: "\(folder)/task/\($0)/comm", encoding: .utf8)) ?? ""
                }
                return (try String(contentsOfFile: "\(folder)/maps", encoding: .utf8), names)
            }
            let agent = try workspace.startAgent(Self.base(workspace, server))
            try await Self.wait(agent, "good", 1)
            let with = try figures(agent)
            #expect(!with.maps.contains("libcrypto") && !with.maps.contains("libcurl"))
            #expect(with.threads.contains("remote\n"))
            #expect(try await agent.stop() == .exited(0))
            let lines = Self.base(workspace, server).split(separator: "\n")
            let plain = lines.filter { !$0.contains("remote:") && !$0.contains("probation:") }.joined(separator: "\n")
            try FileManager.default.removeItem(atPath: workspace.path("local"))
            let second = try workspace.startAgent(plain)
            try await second.waitForLines(in: "local")
            #expect(try !figures(second).threads.contains("remote\n"))
            #expect(try await second.stop() == .exited(0))
        }
    }
}
