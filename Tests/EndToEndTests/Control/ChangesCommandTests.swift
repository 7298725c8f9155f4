import Foundation
import SondeDomain
import SondeEngine
import SondeGateways
import Testing

/// What has moved, as people ask a running agent.
@Suite struct ChangesCommandTests {
    private static func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent:
          interval: 100ms
          state_dir: \(workspace.path("state"))
          control_socket: \(workspace.path("sonde.sock"))
          shutdown_grace: 2s
        sources:
          - { id: kernel, plugin: procnet, proc: \(Checkout.proc("container")) }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private func ask(_ workspace: Workspace, _ words: [String]) async throws -> Workspace.Result {
        try await workspace.run([Checkout.sonde, "changes"] + words + ["--socket", workspace.path("sonde.sock")])
    }

    /// Three days of two interfaces, around the time that it is now; one of them has a hundred times as much since `event`.
    private func fill(_ path: String, until now: Int64, event: Int64) throws {
        let store = SQLiteHistoryStore(path: path, maxBytes: nil)
        for day in [3, 2, 1, 0] as [Int64] {
            for half in [3, 2, 1, 0, -1] as [Int64] {
                let end = now - day * 86_400 - half * 1_800
                guard end <= now else { continue }
                let additions = ["eth7", "eth8"].map { name in
                    var steps = HistorySteps()
                    for index in (end - 1_800) / 5..<end / 5 {
                        let value = name == "eth7" && index * 5 >= event ? 1e8 : 1e6 + Double(index % 7) * 1e4
                        steps.set(HistoryPoint(value, weight: 5_000_000), at: index)
                    }
                    return HistoryAddition(
                        HistorySeries(.bandwidthReceive, member: name, source: "kernel"), rank: .further, steps)
                }
                _ = try store.append(additions, at: Timestamp(seconds: end))
            }
        }
    }

    @Test func anAgentNamesWhatHasMovedSinceWhenAndBothValues() async throws {
        try await Workspace.use { workspace in
            _ = try workspace.makeFolder("state")
            let now = Int64(Date().timeIntervalSince1970)
            let event = now / 60 * 60 - 20 * 60
            try fill(workspace.path("state/history.db"), until: now, event: event)
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForLines(in: "local")
            let json = try await ask(workspace, ["--format", "json"])
            #expect(json.end == .exited(0), "\(json.errors)")
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect(document["schema"] as? String == "sonde.changes/1")
            #expect(document["days_kept"] as? Int == 3)
            let items = try #require(document["items"] as? [[String: Any]])
            let moved = items.filter { ($0["interface"] as? String)?.hasPrefix("eth") ?? false }
            #expect(moved.map { $0["interface"] as? String } == ["eth7"], "\(json.output)")
            #expect(moved.first?["value"] as? Double == 1e8)
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            let since = (moved.first?["since"] as? String).flatMap(formatter.date)
            #expect(since == Date(timeIntervalSince1970: TimeInterval(event)))
            let table = try await ask(workspace, ["--against", "1d", "--range", "2h"])
            #expect(table.end == .exited(0), "\(table.errors)")
            #expect(table.output.contains("compared with the same time of the day before"), "\(table.output)")
            #expect(table.output.contains("100 MB/s"), "\(table.output)")
            #expect(!table.output.contains("eth8"), "\(table.output)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func anAgentThatHasJustBegunSaysSoAndOneWithoutStateToo() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForLines(in: "local")
            let table = try await ask(workspace, [])
            #expect(table.end == .exited(0), "\(table.errors)")
            #expect(table.output.contains("nothing can be compared yet"), "\(table.output)")
            #expect(try await agent.stop() == .exited(0))
            let stateless = Self.configuration(workspace).replacing(
                "  state_dir: \(workspace.path("state"))\n", with: "")
            let other = try workspace.startAgent(stateless)
            // Its file is there before it listens.
            let refused = try await eventually("the socket answers") { () -> Workspace.Result? in
                let answer = try await ask(workspace, [])
                return answer.end == .exited(75) ? nil : answer
            }
            #expect(refused.end == .exited(1) && refused.errors.contains("SND-HIS011"), "\(refused.errors)")
            #expect(try await other.stop() == .exited(0))
        }
    }
}
