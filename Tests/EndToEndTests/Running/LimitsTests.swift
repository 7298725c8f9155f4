import Foundation
import Testing

/// A real agent with little to spend, and a real flood.
@Suite struct LimitsTests {
    private static func configuration(_ workspace: Workspace, limits: String) -> String {
        """
        version: 1
        agent: { interval: 1s, limits: \(limits), control_socket: \(workspace.path("s")) }
        sources:
          - { id: resolver, plugin: dnslog, path: \(workspace.path("queries.log")), format: dnsmasq, level: all }
        sinks:
          - { id: seen, plugin: file, path: \(workspace.path("seen")), batch: { wait: 20ms } }

        """
    }

    private static func lines(_ count: Int, from first: Int) -> Data {
        var text = ""
        for number in first..<(first + count) {
            text +=
                "Nov 26 08:20:00 dnsmasq[1]: query[A] h\(number).example.org from 10.0.\(number % 7).\(number % 250)\n"
        }
        return Data(text.utf8)
    }

    @Test func aFloodIsAnsweredByCollectingLessAndWhenItIsOverEverythingComesBack() async throws {
        try await Workspace.use { workspace in
            let path = workspace.path("queries.log")
            _ = try workspace.write("queries.log", "")
            let agent = try workspace.startAgent(Self.configuration(workspace, limits: "{ cpu: 2% }"))
            try await agent.waitForLog("is read from byte 0")
            let file = try #require(FileHandle(forWritingAtPath: path))
            defer { try? file.close() }
            var written = 0
            try await agent.wait(until: "the agent collects less") {
                try file.seekToEnd()
                // Twice what it may read, with all it looks for.
                try file.write(contentsOf: Self.lines(150, from: written))
                written += 150
                return agent.log.contains("SND-RUN012")
            }
            #expect(agent.log.contains("the agent does without names and clients"))
            let status = try await workspace.status(of: agent)
            let limits = try #require(status["limits"] as? [String: Any])
            #expect((limits["level"] as? Int ?? 0) >= 1)
            #expect(limits["cpu_limit"] as? Double == 0.02)
            let failures = (status["agent"] as? [String: Any])?["errors"] as? [[String: Any]] ?? []
            #expect(failures.contains { $0["code"] as? String == "SND-RUN012" && $0["ended"] == nil })
            try await eventually("everything is collected again", within: .seconds(150)) {
                agent.log.contains("everything is collected again")
            }
            let points = try PointLine.all(workspace.read("seen"))
            let levels = points.filter { $0.name == "sonde.agent.limit.level" }.compactMap(\.value)
            #expect(levels.contains { $0 > 0 })
            #expect(points.contains { $0.name == "sonde.agent.trouble" })
            // Nothing was lost: what was written was read in the end.
            try await agent.wait(until: "all lines are counted") {
                // Each level begins the source, and so its counters, anew.
                var counted: [String: Double] = [:]
                for point in try PointLine.all(workspace.read("seen")) where point.name == "sonde.dns.log.line.count" {
                    counted[point.start ?? "", default: 0] = point.value ?? 0
                }
                return Int(counted.values.reduce(0, +)) == written
            }
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func withoutLimitsThereIsNoThreadForThemAndNoMetric() async throws {
        try await Workspace.use { workspace in
            _ = try workspace.write("queries.log", "")
            let text = Self.configuration(workspace, limits: "{ disk: 64MiB }")
            let agent = try workspace.startAgent(text)
            try await agent.waitForTimes(2, in: "seen")
            #expect(!workspace.read("seen").contains("sonde.agent.limit"))
            #expect(try await agent.stop() == .exited(0))
        }
    }
}
