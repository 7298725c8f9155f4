import Foundation
import Glibc
import Testing

/// What a running agent kept, as people ask for it.
@Suite struct HistoryCommandTests {
    private static func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent:
          interval: 100ms
          state_dir: \(workspace.path("state"))
          control_socket: \(workspace.path("sonde.sock"))
          shutdown_grace: 2s
        sources:
          - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private func ask(_ workspace: Workspace, _ words: String...) async throws -> Workspace.Result {
        try await workspace.run([Checkout.sonde] + words + ["--socket", workspace.path("sonde.sock")])
    }

    /// The points of a series with their times, oldest first.
    private func points(_ workspace: Workspace, _ metric: String) async throws -> [String] {
        let result = try await ask(workspace, "history", "--metric", metric, "--format", "ndjson")
        guard result.end == .exited(0) else { return [] }
        return result.output.split(separator: "\n").map(String.init)
    }

    private func times(_ lines: [String]) -> Set<Substring> {
        Set(lines.compactMap { $0.split(separator: "\"").dropFirst(2).first })
    }

    private func waitForPoints(_ agent: Agent, _ workspace: Workspace, atLeast count: Int) async throws {
        for _ in 0..<200 {
            if try await points(workspace, "connections.tcp").count >= count { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("no points came; the log: \(agent.log)")
    }

    @Test func whatWasRecordedIsThereAfterAStopAndAfterAKill() async throws {
        try await Workspace.use { workspace in
            let first = try workspace.startAgent(Self.configuration(workspace))
            try await waitForPoints(first, workspace, atLeast: 1)
            let before = try await points(workspace, "connections.tcp")
            #expect(try await first.stop() == .exited(0))

            let second = try workspace.startAgent(Self.configuration(workspace))
            try await waitForPoints(second, workspace, atLeast: before.count)
            #expect(times(before).isSubset(of: times(try await points(workspace, "connections.tcp"))))
            second.process.send(SIGKILL)
            _ = try await second.process.waitForEnd(within: .seconds(10))

            let third = try workspace.startAgent(Self.configuration(workspace))
            try await waitForPoints(third, workspace, atLeast: before.count)
            #expect(times(before).isSubset(of: times(try await points(workspace, "connections.tcp"))))
            #expect(!third.log.contains("SND-HIS"))
        }
    }

    @Test func everyFormatTellsTheSame() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await waitForPoints(agent, workspace, atLeast: 1)
            let table = try await ask(workspace, "history")
            #expect(table.end == .exited(0))
            #expect(table.output.contains("connections.tcp"))
            #expect(table.output.contains("agent.memory"))
            let json = try await ask(workspace, "history", "--format", "json", "--range", "30d")
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect(document["schema"] as? String == "sonde.history/1")
            #expect((document["series"] as? [Any])?.isEmpty == false)
            for format in ["csv", "json", "ndjson", "prometheus"] {
                let path = workspace.path("history.\(format)")
                let result = try await ask(workspace, "export", "--format", format, "--output", path)
                #expect(result.end == .exited(0))
                #expect(result.output + result.errors == "")
                #expect(workspace.read("history.\(format)").contains("kernel"))
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: workspace.directory)
            #expect(left.filter { $0.contains(".partial-") } == [])
        }
    }

    @Test func anExportThatCannotBeWrittenLeavesEverythingAsItWas() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await waitForPoints(agent, workspace, atLeast: 1)
            for path in [workspace.directory, workspace.path("nowhere/file")] {
                let result = try await ask(workspace, "export", "--output", path)
                #expect(result.end == .exited(1))
                #expect(result.errors.contains("error[SND-HIS009]"))
            }
            let old = try workspace.write("old.csv", "what was there")
            let refused = try await ask(workspace, "export", "--output", old, "--metric", "bandwith")
            #expect(refused.end == .exited(64))
            #expect(workspace.read("old.csv") == "what was there")
        }
    }

    @Test func anExportKeepsTheModeOfAFileAndFollowsALink() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await waitForPoints(agent, workspace, atLeast: 1)
            let (file, link) = (try workspace.write("secret.csv", "old\n"), workspace.path("link.csv"))
            let (early, round) = (workspace.path("early.csv"), workspace.path("round.csv"))
            #expect(symlink("not-yet.csv", early) == 0 && symlink("round.csv", round) == 0)
            #expect(chmod(file, 0o600) == 0 && symlink(file, link) == 0)
            let result = try await ask(workspace, "export", "--format", "csv", "--output", link)
            #expect(result.end == .exited(0), "\(result.errors)")
            var status = stat()
            #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(workspace.read("secret.csv").hasPrefix("time,"))
            // A link that leads nowhere yet stays a link, too, and one that leads to itself leads nowhere.
            #expect(try await ask(workspace, "export", "--output", early).end == .exited(0))
            #expect(lstat(early, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            #expect(workspace.read("not-yet.csv").hasPrefix("time,"))
            let endless = try await ask(workspace, "export", "--output", round)
            #expect(endless.end == .exited(1) && endless.errors.contains("SND-HIS009"), "\(endless.errors)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aHistoryThatWasSetAsideIsAFailureThatMonitoringSees() async throws {
        try await Workspace.use { workspace in
            _ = try workspace.makeFolder("state")
            try workspace.write("state/history.db", "no history")
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await waitForPoints(agent, workspace, atLeast: 1)
            let status = try await ask(workspace, "status", "--check")
            #expect(status.end == .exited(1))
            #expect(status.output.contains("history  SND-HIS004  corrupt_input"), "\(status.output)")
            let snapshot = try await ask(workspace, "snapshot", "--format", "json")
            #expect(snapshot.output.contains(#""code":"SND-HIS004","plugin":"agent","class":"corrupt_input""#))
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aRangeThatLiesAheadHasNothingAndOneThatIsNoSpanIsToldSo() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await waitForPoints(agent, workspace, atLeast: 1)
            let ahead = try await ask(workspace, "history", "--from", "2099-01-01T00:00:00Z", "--format", "json")
            #expect(ahead.end == .exited(0), "\(ahead.errors)")
            #expect(ahead.output.contains(#""series":[]"#), "\(ahead.output)")
            for words in [["--range=-1h"], ["--range", "-1h"], ["--range", "-1d"]] {
                let negative = try await workspace.run([Checkout.sonde, "history"] + words)
                #expect(negative.end == .exited(64))
                #expect(negative.errors.contains("is no span: write 24h or 30d, not '-1"), "\(negative.errors)")
            }
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func whoAsksWithoutAnAgentIsToldToTryAgain() async throws {
        try await Workspace.use { workspace in
            let result = try await ask(workspace, "export", "--output", workspace.path("file"))
            #expect(result.end == .exited(75))
            #expect(!FileManager.default.fileExists(atPath: workspace.path("file")))
        }
    }
}
