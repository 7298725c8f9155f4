import Foundation
import Testing

/// The last points of series, as people ask for them.
@Suite struct SeriesCommandTests {
    private static func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent: { interval: 100ms, control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s }
        sources:
          - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test(arguments: [Checkout.sonde, Checkout.sonded])
    func theSeriesOfTheNamesThatAreAskedForAreShown(_ program: String) async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForLines(in: "local")
            let words = ["series", "--name", "system.network.i*", "--source", "kernel"]
            let place = ["--socket", workspace.path("sonde.sock")]
            let json = try await workspace.run([program] + words + ["--format", "json"] + place)
            #expect(json.end == .exited(0))
            let items = try objects(json.output)
            #expect(Set(items.compactMap { $0["name"] as? String }) == ["system.network.io"])
            #expect(items.allSatisfy { $0["value"] is Int && $0["attributes"] is [String: String] })
            let table = try await workspace.run([program] + words + place)
            #expect(table.output.hasPrefix("TIME "))
            #expect(table.output.split(separator: "\n").count == items.count + 1)
            let none = try await workspace.run([program, "series", "--source", "nobody", "--format", "json"] + place)
            #expect(none.end == .exited(0) && none.output.isEmpty)
        }
    }

    @Test func whoFollowsGetsEachNewPointUntilTheAgentEnds() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForLines(in: "local")
            let follow = try workspace.start(
                [
                    Checkout.sonde, "series", "--name", "system.network.io", "--follow", "--format", "json", "--socket",
                    workspace.path("sonde.sock"),
                ], as: "follow")
            try await agent.wait(until: "points of three collections are shown") {
                let items = (try? objects(workspace.read("follow.out"))) ?? []
                return Set(items.compactMap { $0["time"] as? String }).count >= 3
            }
            #expect(try await agent.stop(within: .seconds(10)) == .exited(0))
            #expect(try await follow.waitForEnd(within: .seconds(40)) == .exited(75))
        }
    }
}
