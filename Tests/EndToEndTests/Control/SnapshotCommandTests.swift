import Foundation
import Glibc
import Testing

/// What the network looks like now, as people and programs ask for it.
@Suite struct SnapshotCommandTests {
    private static func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent: { interval: 100ms, control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s }
        sources:
          - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }
          - { id: gone, plugin: procnet, level: all, proc: \(workspace.path("nowhere")) }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private func ask(_ workspace: Workspace, _ words: String...) async throws -> Workspace.Result {
        try await workspace.run([Checkout.sonde] + words + ["--socket", workspace.path("sonde.sock")])
    }

    private func document(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func aSnapshotTellsWhatIsKnownAndWhatIsBroken() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            // A counter's first reading tells no rate.
            try await agent.waitForTimes(4, in: "local")
            let json = try await ask(workspace, "snapshot", "--format", "json")
            #expect(json.end == .exited(0))
            let document = try document(json.output)
            #expect(document["schema"] as? String == "sonde.snapshot/2")
            let bandwidth = try #require(document["bandwidth"] as? [String: Any])
            #expect(bandwidth["source"] as? String == "kernel")
            #expect((bandwidth["interfaces"] as? [String: Any])?.isEmpty == false)
            #expect(document["dns"] is NSNull)
            let failures = try #require(document["failures"] as? [[String: Any]])
            #expect(failures.map { $0["plugin"] as? String } == ["gone"])
            #expect(failures.map { $0["actions"] as? [String] } == [["retry_now", "reconfigure"]])
            let table = try await ask(workspace, "snapshot")
            #expect(table.output.contains("Bandwidth"))
            // Into a pipe: 80 columns, or what is said.
            let whole = "a kernel that names the cgroup of a socket"
            #expect(try await !ask(workspace, "snapshot", "--all").output.contains(whole))
            let all = [Checkout.sonde, "snapshot", "--all", "--socket", workspace.path("sonde.sock")]
            #expect(try await workspace.run(all, environment: ["COLUMNS": "200"]).output.contains(whole))
            #expect(try await ask(workspace, "retry", "gone").end == .exited(0))
            let unknown = try await ask(workspace, "retry", "nobody")
            #expect(unknown.end == .exited(1))
            #expect(unknown.errors.contains("SND-CTL011"))
        }
    }

    @Test func aWatcherGetsOneSnapshotPerLineUntilTheAgentEnds() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForLines(in: "local")
            let watch = try workspace.start(
                [Checkout.sonde, "watch", "--socket", workspace.path("sonde.sock")], as: "watch")
            try await agent.wait(until: "five snapshots are watched") {
                workspace.read("watch.out").count { $0 == "\n" } >= 5
            }
            #expect(try await agent.stop(within: .seconds(10)) == .exited(0))
            #expect(try await watch.waitForEnd(within: .seconds(40)) == .exited(75))
            let times = try workspace.read("watch.out").split(separator: "\n").map { line in
                try #require(try document(line)["time"] as? String)
            }
            #expect(times == times.sorted())
            #expect(Set(times).count == times.count)
        }
    }
}
