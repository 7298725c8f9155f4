import Foundation
import Glibc
import Testing

/// Each thing that `sonde doctor` finds, broken for real.
@Suite struct DoctorCommandTests {
    private struct Finding {
        let area, severity, component, code, message: String
        let fixes: [[String: Any]]
    }

    private func doctor(
        _ workspace: Workspace, _ configuration: String, under prefix: [String] = []
    ) async throws -> (findings: [Finding], end: ProcessGroup.End) {
        let file = try workspace.write("sonde.yaml", configuration)
        let result = try await workspace.run(
            prefix + [Checkout.sonde, "doctor", "-c", file, "--format", "json"] + Workspace.pluginDirectory)
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.errors)")
        let findings = try #require(object["findings"] as? [[String: Any]]).map { finding in
            let text = { (key: String) in finding[key] as? String ?? "" }
            return Finding(
                area: text("area"), severity: text("severity"), component: text("component"), code: text("code"),
                message: text("message"), fixes: finding["fixes"] as? [[String: Any]] ?? [])
        }
        return (findings, result.end)
    }

    private func configuration(
        _ workspace: Workspace, agent: String = "", source: String? = nil, sink: String? = nil
    ) -> String {
        """
        version: 1
        agent: { interval: 200ms, \(agent)control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s }
        sources: [\(source ?? "{ id: kernel, plugin: procnet, proc: \(Checkout.proc("container")) }")]
        sinks: [\(sink ?? "{ id: local, plugin: file, path: \(workspace.path("local")) }")]

        """
    }

    @Test func withoutAnAgentSourcesRunAndSinksAreTried() async throws {
        try await Workspace.use { workspace in
            let (findings, end) = try await doctor(workspace, configuration(workspace))
            #expect(end == .exited(0), "\(findings)")
            let good = findings.filter { $0.severity == "good" }
            #expect(Set(good.map(\.area)).isSuperset(of: ["configuration", "source", "sink"]))
            #expect(findings.contains { $0.area == "agent" && $0.severity == "warning" })
            #expect(!FileManager.default.fileExists(atPath: workspace.path("local")))
        }
    }

    @Test func aMistakeOfTheConfigurationHasItsPlace() async throws {
        try await Workspace.use { workspace in
            let (findings, end) = try await doctor(
                workspace, configuration(workspace, sink: "{ id: a, plugin: file, pth: /x }"))
            #expect(end == .exited(1))
            let wrong = try #require(findings.first { $0.code == "SND-CFG012" })
            #expect(wrong.message.contains("sonde.yaml:4:"), "\(wrong)")
            #expect(findings.filter { $0.severity == "problem" }.map(\.code) == ["SND-CFG011", "SND-CFG012"])
            #expect((wrong.fixes.first?["lines"] as? [String])?.first?.contains("path") == true)
        }
    }

    @Test func aFileThatCannotBeReadIsOneProblem() async throws {
        try await Workspace.use { workspace in
            let (findings, end) = try await doctor(workspace, "agent: {")
            #expect(end == .exited(1))
            #expect(findings.map(\.area) == ["configuration", "agent"])
            #expect(findings.map(\.severity) == ["problem", "unknown"])
            #expect(findings.map(\.code) == ["SND-CFG004", ""])
        }
    }

    @Test func aSinkWithoutAWayIsFoundAndNothingIsSent() async throws {
        try await Workspace.use { workspace in
            let sinks = """
                { id: gone, plugin: http, url: "http://127.0.0.1:1/", format: json },
                { id: nowhere, plugin: file, path: \(workspace.path("missing/file")) }
                """
            let (findings, end) = try await doctor(workspace, configuration(workspace, sink: sinks))
            #expect(end == .exited(1))
            let codes = findings.filter { $0.area == "sink" }.map { "\($0.component) \($0.severity) \($0.code)" }
            #expect(codes == ["gone problem SND-CRL003", "nowhere problem SND-FIL002"])
        }
    }

    @Test func aLogThatIsNotThereIsFound() async throws {
        try await Workspace.use { workspace in
            let source = "{ id: resolver, plugin: dnslog, path: \(workspace.path("no.log")), format: unbound }"
            let (findings, _) = try await doctor(workspace, configuration(workspace, source: source))
            let found = try #require(findings.first { $0.component == "resolver" })
            #expect(found.severity == "problem" && found.code.hasPrefix("SND-"), "\(found)")
        }
    }

    @Test(
        .enabled(if: getuid() == 0, "giving up rights needs root"),
        arguments: [("pcap", "interfaces: [lo]", "CAP_NET_RAW"), ("drops", "level: core", "CAP_PERFMON CAP_BPF")])
    func whatAPluginLacksIsADropInAndItsLinesAreThoseOfItsPage(
        _ plugin: String, _ option: String, _ rights: String
    ) async throws {
        try await Workspace.use { workspace in
            let source = "{ id: wire, plugin: \(plugin), \(option) }"
            let bounds = ["/usr/bin/setpriv", "--bounding-set", "-all", "--inh-caps", "-all"]
            let (findings, _) = try await doctor(workspace, configuration(workspace, source: source), under: bounds)
            let privilege = try #require(findings.first { $0.area == "privileges" }, "\(findings)")
            #expect(privilege.severity == "warning" && privilege.message.contains(rights))
            let lines = try #require(privilege.fixes.first?["lines"] as? [String])
            let page = try String(contentsOfFile: Checkout.path("plugins/sources/\(plugin)/README.md"), encoding: .utf8)
            #expect(page.contains("```ini\n\(lines.joined(separator: "\n"))\n```"), "\(lines)")
            #expect(findings.contains { $0.component == "wire" && $0.severity == "problem" }, "\(findings)")
        }
    }

    @Test func stateThatCannotBeWrittenIsFound() async throws {
        try await Workspace.use { workspace in
            let (findings, end) = try await doctor(
                workspace, configuration(workspace, agent: "state_dir: /dev/null/state, "))
            #expect(end == .exited(1))
            let disk = try #require(findings.first { $0.area == "disk" && $0.severity == "problem" }, "\(findings)")
            #expect(disk.message.wholeMatch(of: /the agent cannot write to '\/dev\/null\/state': [A-Z][a-z ]+/) != nil)
        }
    }

    @Test func stateThatEverybodyMayWriteIsFound() async throws {
        try await Workspace.use { workspace in
            let state = workspace.path("state")
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
            chmod(state, 0o1777)
            let (findings, end) = try await doctor(
                workspace, configuration(workspace, agent: "state_dir: \(state), "))
            #expect(end == .exited(1))
            let disk = findings.filter { $0.area == "disk" }
            #expect(disk.map(\.severity) == ["problem"])
            #expect(disk.map(\.code) == ["SND-RUN010"])
        }
    }

    @Test func fewDescriptorsAreFound() async throws {
        try await Workspace.use { workspace in
            let (findings, _) = try await doctor(
                workspace, configuration(workspace), under: ["/usr/bin/prlimit", "--nofile=128:128"])
            let budget = try #require(findings.first { $0.area == "budget" && $0.severity == "warning" })
            #expect(budget.message.contains("128"))
        }
    }

    @Test func aRunningAgentIsAskedForWhatFails() async throws {
        try await Workspace.use { workspace in
            let text = configuration(
                workspace, sink: "{ id: gone, plugin: http, url: \"http://127.0.0.1:1/\", format: json }")
            let agent = try workspace.startAgent(text)
            try await agent.waitForLog("SND-CRL003")
            let (findings, end) = try await doctor(workspace, text)
            #expect(end == .exited(1))
            #expect(findings.contains { $0.area == "agent" && $0.severity == "good" }, "\(findings)")
            #expect(findings.contains { $0.area == "source" && $0.component == "kernel" && $0.severity == "good" })
            #expect(findings.filter { $0.area == "sink" }.map(\.code) == ["SND-CRL003"])
            let table = try await workspace.run(
                [Checkout.sonde, "doctor", "-c", workspace.path("sonde.yaml")] + Workspace.pluginDirectory)
            #expect(table.output.hasPrefix("PROBLEM  sink gone: "), "\(table.output)")
            _ = try await agent.stop()
        }
    }
}
