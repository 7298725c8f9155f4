import Foundation
import Testing

/// What a person asks about a metric.
@Suite struct ExplainCommandTests {
    private static func configuration(_ workspace: Workspace, _ state: String = "") -> String {
        """
        version: 1
        agent: { interval: 100ms, \(state)control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s }
        sources:
          - { id: kernel, plugin: procnet, proc: \(Checkout.proc("container")) }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }
          - { id: few, plugin: file, path: \(workspace.path("few")), metrics: { include: ["sonde.*"] } }

        """
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func place(_ workspace: Workspace) -> [String] {
        Workspace.pluginDirectory + ["--socket", workspace.path("sonde.sock")]
    }

    @Test func withoutAnAgentTheCatalogAnswers() async throws {
        try await Workspace.use { workspace in
            let words = ["explain", "sonde.drop.packet.count", "--member", "socket_rcvbuff"]
            let table = try await workspace.run([Checkout.sonde] + words + place(workspace))
            #expect(table.end == .exited(0), "\(table.errors)")
            for text in [
                "Packets that the kernel has dropped, by its reason", "skb:kfree_skb", "unit {packet}",
                "ss -lunm", "no agent answers",
            ] { #expect(table.output.contains(text), "\(table.output)") }
            let json = try object(
                try await workspace.run([Checkout.sonde] + words + ["--format", "json"] + place(workspace)).output)
            #expect(json["agent"] is NSNull && json["sinks"] is NSNull)
            #expect(((json["origins"] as? [[String: Any]])?.first)?["plugin"] as? String == "drops")
        }
    }

    @Test func aRunningAgentAddsTheLastValueTheDayAndTheSinks() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForLines(in: "local")
            let words = ["explain", "system.network.io", "--member", "eth0", "-c", workspace.path("sonde.yaml")]
            let json = try object(
                try await workspace.run(
                    [Checkout.sonde] + words + ["--format", "json"] + Workspace.pluginDirectory
                ).output)
            let answer = try #require(json["agent"] as? [String: Any])
            let series = try #require(answer["series"] as? [[String: Any]])
            #expect(series.count == 2 && series.allSatisfy { $0["value"] is Int })
            #expect(answer["day"] is NSNull)
            #expect(json["sinks"] as? [String: String] == ["local": "all", "few": "none"])
            let table = try await workspace.run([Checkout.sonde] + words + Workspace.pluginDirectory)
            #expect(table.output.contains("sinks     local, not few"), "\(table.output)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func whereHistoryIsKeptTheRangeOverTheDayIsShown() async throws {
        try await Workspace.use { workspace in
            let state = "state_dir: \(workspace.path("state")), "
            let agent = try workspace.startAgent(Self.configuration(workspace, state))
            try await agent.waitForLines(in: "local")
            var day: [[String: Any]] = []
            for _ in 0..<50 where day.count < 2 {
                let words = ["explain", "system.network.io", "--member", "eth0", "--format", "json"]
                let result = try await workspace.run([Checkout.sonde] + words + place(workspace))
                day = try #require((try object(result.output)["agent"] as? [String: Any])?["day"] as? [[String: Any]])
            }
            #expect(day.map { $0["metric"] as? String } == ["bandwidth.receive", "bandwidth.transmit"])
            #expect(day.allSatisfy { $0["member"] as? String == "eth0" && $0["unit"] as? String == "By/s" })
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aMetricThatNobodyHasIsWrongUsageAndTheNearestIsNamed() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.run(
                [Checkout.sonde, "explain", "system.network.oi"] + place(workspace))
            #expect(result.end == .exited(64) && result.output.isEmpty)
            #expect(result.errors.contains("there is no metric 'system.network.oi'; is it 'system.network.io'?"))
            for (kept, name) in [
                ("dns.failures", "sonde.dns.resolver.failure.count"),
                ("bandwidth.transmit", "sonde.network.host.io, sonde.network.host.rate.peak,"),
                ("agent.memory", "sonde.agent.memory.usage\n"),
            ] {
                let result = try await workspace.run([Checkout.sonde, "explain", kept] + place(workspace))
                #expect(result.errors.contains("there is no metric '\(kept)'; history has it from \(name)"))
            }
        }
    }

    /// Every metric of a shipped plugin can be explained; of those of level core the guide, whose words the command has
    /// (MetricAdviceTests), says when they are bad.
    @Test func everyMetricOfEveryPluginHasAMeaningAUnitAndAPlaceItIsFrom() async throws {
        let rows = try Checkout.text("docs/guide/metrics.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        try await Workspace.use { workspace in
            for plugin in ["procnet", "pcap", "dnslog", "drops"] {
                let text = try await workspace.sonde("plugins", "describe", plugin, "--format", "json").output
                let description = try object(text)
                let metrics = try #require(description["metrics"] as? [[String: Any]])
                #expect(!metrics.isEmpty && (description["sees"] as? [String])?.isEmpty == false)
                for metric in metrics {
                    #expect((metric["meaning"] as? String)?.hasSuffix(".") == true, "\(metric)")
                    #expect(metric["unit"] is String && metric["kind"] is String, "\(metric)")
                    let name = try #require(metric["name"] as? String)
                    let isTold = rows.contains { $0.split(separator: "|").first?.contains("`\(name)`") == true }
                    #expect(metric["level"] != nil || isTold, "\(name)")
                }
            }
        }
    }
}
