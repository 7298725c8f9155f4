import Foundation
import Glibc
import Testing

/// The files of `conf.d` in an agent that runs: at its start, at a reload and at a hang-up.
@Suite struct ConfigurationFilesTests {
    private static func main(_ workspace: Workspace) -> String {
        """
        version: 1
        agent: { interval: 100ms, shutdown_grace: 2s, control_socket: \(workspace.path("control.sock")) }
        sources:
          - { id: kernel, plugin: procnet }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private static func reload(_ workspace: Workspace) async throws -> Workspace.Result {
        try await workspace.run([Checkout.sonde, "reload", "--socket", workspace.path("control.sock")])
    }

    @Test func aReloadTakesAddedChangedAndRemovedFiles() async throws {
        try await Workspace.use { workspace in
            _ = try workspace.makeFolder("conf.d")
            try workspace.write(
                "conf.d/10.yaml", "sources: [{ id: second, plugin: procnet, labels: { which: ten } }]\n")
            let agent = try workspace.startAgent(Self.main(workspace))
            try await agent.wait(until: "the second source delivers") {
                workspace.read("local", last: 1 << 16).contains(#""which":"ten""#)
            }
            try workspace.write(
                "conf.d/20.yaml", "sources: [{ id: second, override: true, labels: { which: twenty } }]\n")
            let changed = try await Self.reload(workspace)
            #expect(changed.output == "changed second; 2 as they were\n", "\(changed.errors)")
            try await agent.wait(until: "the changed source delivers") {
                workspace.read("local", last: 1 << 16).contains(#""which":"twenty""#)
            }
            try FileManager.default.removeItem(atPath: workspace.path("conf.d"))
            let removed = try await Self.reload(workspace)
            #expect(removed.output == "removed second; 2 as they were\n", "\(removed.errors)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func whatIsWrongInAFileChangesNothingAndIsNamed() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.main(workspace))
            try await agent.waitForLines(in: "local")
            let folder = try workspace.makeFolder("conf.d")
            #expect(mkfifo("\(folder)/10.yaml", 0o600) == 0)
            try workspace.write("conf.d/20.yaml", "agent: {}\nsources:\n  - { id: kernel, plugin: procnet }\n")
            let result = try await Self.reload(workspace)
            #expect(result.end == .exited(78))
            #expect(result.errors.contains("\(folder)/10.yaml:1:1"), "\(result.errors)")
            #expect(kill(agent.process.processID, SIGHUP) == 0)
            try await agent.waitForLog("\(folder)/20.yaml:3:11")
            let count = agent.lines(in: "local").count
            try await agent.wait(until: "it goes on") { agent.lines(in: "local").count > count }
            for name in ["10.yaml", "20.yaml"] { #expect(unlink("\(folder)/\(name)") == 0) }
            #expect(try await Self.reload(workspace).end == .exited(0))
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aCredentialReachesTheAgent() async throws {
        try await Workspace.use { workspace in
            let folder = try workspace.makeFolder("credentials")
            #expect(chmod(try workspace.write("credentials/role", "edge\n"), 0o400) == 0)
            let agent = try workspace.startAgent(
                Self.main(workspace).replacing(
                    "plugin: procnet", with: "plugin: procnet, labels: { role: \"${cred:role}\", on: \"${host:os}\" }"),
                environment: ["CREDENTIALS_DIRECTORY": folder])
            try await agent.wait(until: "points have it") {
                workspace.read("local", last: 1 << 16).contains(#""role":"edge""#)
            }
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func anotherHostsViewIsShownAndChecked() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("sonde.yaml", Self.main(workspace))
            _ = try workspace.makeFolder("conf.d")
            try workspace.write("conf.d/db.yaml", "when: { host: \"db-*\" }\nagent: { interval: never }\n")
            #expect(try await workspace.sonde("check", "-c", file, "--host", "web-1").end == .exited(0))
            let broken = try await workspace.sonde("check", "-c", file, "--host", "db-1")
            #expect(broken.end == .exited(78))
            #expect(broken.errors.contains("conf.d/db.yaml:2:20: error[SND-CFG016]"), "\(broken.errors)")
            let shown = try await workspace.sonde("config", "show", "--origin", "-c", file, "--host", "web-1")
            #expect(shown.output.contains("\n  interval: 100ms  # \(file):2\n"))
            #expect(
                shown.output.hasSuffix(
                    "# Left out on host 'web-1':\n#   \(workspace.path("conf.d/db.yaml")):1: the file: "
                        + "'when' wants host 'db-*'\n"))
            #expect(try await workspace.sonde("check", "-c", file, "--host", "").end == .exited(64))
        }
    }
}
