import Glibc
import Testing

/// The gap that an agent leaves that did not stop as planned is in the ledger of the next one.
@Suite struct GapTests {
    private static func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent: { interval: 100ms, state_dir: \(workspace.path("state")), control_socket: \(workspace.path("s")) }
        sources: [{ id: kernel, plugin: procnet, tables: [dev] }]
        sinks:
          - { id: seen, plugin: file, path: \(workspace.path("seen")), batch: { wait: 20ms } }

        """
    }

    private static func gaps(_ status: [String: Any]) -> [[String: Any]] {
        (status["losses"] as? [[String: Any]] ?? []).filter { $0["component"] as? String == "agent" }
    }

    @Test(arguments: [(SIGKILL, "agent_killed"), (SIGABRT, "agent_aborted")])
    func anAgentThatIsEndedLeavesAGapThatTheNextOneReports(_ signal: Int32, _ reason: String) async throws {
        try await Workspace.use(.oneForLong) { workspace in
            let first = try workspace.startAgent(Self.configuration(workspace))
            try await first.waitForTimes(3, in: "seen")
            #expect(Self.gaps(try await workspace.status(of: first)).isEmpty)
            first.process.send(signal)
            _ = try await first.process.waitForEnd(within: .seconds(10))

            let second = try workspace.startAgent(Self.configuration(workspace))
            try await second.waitForLog("nothing was collected")
            let gaps = Self.gaps(try await workspace.status(of: second))
            #expect(gaps.map { $0["reason"] as? String } == [reason])
            let (from, to) = (gaps.first?["from"] as? String ?? "", gaps.first?["to"] as? String ?? "")
            // Times of RFC 3339 in UTC are in the order of their text.
            #expect(!from.isEmpty && from < to, "\(from) \(to)")
            #expect(gaps.first?["count"] == nil)
            // It is sent as data, too.
            try await second.wait(until: "the gap as a point") {
                try PointLine.all(workspace.read("seen")).contains {
                    $0.name == "sonde.loss.report.count" && $0.attributes?["sonde.loss.reason"] == reason
                }
            }
            #expect(try await second.stop() == .exited(0))
        }
    }

    @Test func aPlannedStopLeavesNone() async throws {
        try await Workspace.use { workspace in
            for _ in 0..<2 {
                let agent = try workspace.startAgent(Self.configuration(workspace))
                try await agent.waitForTimes(2, in: "seen")
                #expect(Self.gaps(try await workspace.status(of: agent)).isEmpty)
                #expect(try await agent.stop() == .exited(0))
            }
        }
    }
}
