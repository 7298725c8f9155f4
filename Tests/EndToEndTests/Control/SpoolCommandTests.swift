import Foundation
import Testing

/// What people do to the spool of a running agent.
@Suite struct SpoolCommandTests {
    private struct List: Decodable {
        struct DeadLetter: Decodable {
            let sink: String
            let name: String
            let batch: String
            let code: String
            let points: Int
        }

        struct Sink: Decodable {
            let id: String
            let next: Int
            let waiting: Int
        }

        struct Segment: Decodable {
            let first: Int
            let state: String
            let points: Int
        }

        let sinks: [Sink]
        let segments: [Segment]
        let deadLetters: [DeadLetter]
    }

    private static func configuration(_ workspace: Workspace, _ url: String) -> String {
        """
        version: 1
        agent:
          interval: 100ms
          control_socket: \(workspace.path("s.sock"))
          state_dir: \(workspace.path("state"))
          shutdown_grace: 1s
        sources: [{ id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }]
        sinks:
          - { id: central, plugin: http, url: "\(url)", batch: { wait: 20ms }, retry: { base: 20ms, cap: 200ms } }

        """
    }

    private static func spool(_ workspace: Workspace, _ words: String...) async throws -> Workspace.Result {
        try await workspace.run([Checkout.sonde, "spool"] + words + ["--socket", workspace.path("s.sock")])
    }

    private static func list(_ workspace: Workspace) async throws -> List {
        let result = try await spool(workspace, "list", "--format", "json")
        #expect(result.end == .exited(0), "\(result.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(List.self, from: Data(result.output.utf8))
    }

    private static func batch(_ exchange: ScriptedReceiver.Exchange) -> String? { exchange.headers["sonde-batch"] }

    @Test func aRefusedBatchIsListedShownAndDeliveredOnceTheReceiverTakesIt() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(400), .answer(204)]) { receiver in
                let agent = try workspace.startAgent(Self.configuration(workspace, receiver.url))
                try await agent.wait(until: "three batches are taken") {
                    receiver.exchanges.filter(\.isAcknowledged).count >= 3
                }
                let refused = try #require(receiver.exchanges.first)
                let list = try await Self.list(workspace)
                let letter = try #require(list.deadLetters.first)
                #expect(list.deadLetters.count == 1)
                #expect(letter.sink == "central")
                #expect(letter.code == "SND-HTTP400")
                #expect(letter.batch == Self.batch(refused))
                #expect(letter.points == refused.headers["sonde-points"].flatMap { Int($0) })
                #expect(list.segments.contains { $0.state == "active" && $0.points > 0 })
                #expect((list.sinks.first?.next ?? 0) > letter.points)

                let shown = try await Self.spool(
                    workspace, "show", "--dead-letter", letter.name, "--format", "json", "--limit", "0")
                #expect(shown.end == .exited(0))
                let lines = shown.output.split(separator: "\n", maxSplits: 1)
                #expect(lines.first?.hasPrefix(#"{"schema":"sonde.dead_letter/1""#) == true)
                #expect(lines.last.map { Array($0.utf8) } == refused.body)

                let replayed = try await Self.spool(
                    workspace, "replay", "--sink", "central", "--dead-letter", letter.name)
                #expect(replayed.end == .exited(0), "\(replayed.errors)")
                #expect(replayed.output == "central: 1 batch with \(letter.points) points delivered\n")
                let again = try #require(receiver.exchanges.last { Self.batch($0) == letter.batch })
                #expect(again.isAcknowledged)
                #expect(again.body == refused.body)
                #expect(try await Self.list(workspace).deadLetters.isEmpty)
                let live = receiver.exchanges.dropFirst().filter { Self.batch($0) != letter.batch }
                #expect(Stretch.areConsecutive(live.compactMap { Stretch(Self.batch($0)) }))
            }
        }
    }

    @Test func aPurgeIsAskedForTwiceAndStandsAmongTheLosses() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(503)]) { receiver in
                let agent = try workspace.startAgent(Self.configuration(workspace, receiver.url))
                try await agent.wait(until: "it was refused twice") { receiver.exchanges.count >= 2 }
                let asked = try await Self.spool(workspace, "purge", "--sink", "central", "--all")
                #expect(asked.end == .exited(64))
                #expect(asked.output.hasPrefix("central: would drop "))
                #expect(asked.errors.contains("--yes"))
                #expect((try await Self.list(workspace).sinks.first?.next) == 1)
                let purged = try await Self.spool(workspace, "purge", "--sink", "central", "--all", "--yes")
                #expect(purged.end == .exited(0), "\(purged.errors)")
                // Digits come in groups of three.
                let amount = try #require(purged.output.firstMatch(of: /^central: ([\d ]+) points dropped\n$/)?.1)
                let dropped = amount.filter { $0 != " " }
                #expect(((try await Self.list(workspace).sinks.first?.next) ?? 0) > 1)
                let status = try await workspace.run(
                    [Checkout.sonde, "status", "--format", "json", "--socket", workspace.path("s.sock")])
                #expect(status.output.contains("\"component\":\"central\",\"reason\":\"purged\",\"count\":\(dropped)"))
                // The ledger travels with the data: the log itself tells what was dropped.
                try await eventually("the loss is in the log") {
                    let data = FileManager.default.subpaths(atPath: workspace.path("state/spool")) ?? []
                    return data.contains { name in
                        FileManager.default.contents(atPath: workspace.path("state/spool/\(name)"))?
                            .range(of: Data("purged".utf8)) != nil
                    }
                }
            }
        }
    }

    @Test func aStretchIsShownAsItWasDelivered() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(204)]) { receiver in
                let agent = try workspace.startAgent(Self.configuration(workspace, receiver.url))
                try await agent.wait(until: "three batches are taken") { receiver.exchanges.count >= 3 }
                let first = try #require(receiver.exchanges.first)
                let stretch = try #require(Stretch(Self.batch(first)))
                let shown = try await Self.spool(
                    workspace, "show", "\(stretch.first)-\(stretch.last)", "--format", "json", "--limit", "0")
                #expect(Array(shown.output.utf8) == first.body)
            }
        }
    }

    @Test(arguments: [
        ["list"], ["show", "1"], ["replay", "--sink", "a", "--all"], ["purge", "--all", "--yes"],
    ])
    func withoutAnAgentTheSocketIsNamed(_ words: [String]) async throws {
        try await Workspace.use { workspace in
            let socket = workspace.path("s.sock")
            let result = try await workspace.run([Checkout.sonde, "spool"] + words + ["--socket", socket])
            #expect(result.end == .exited(75))
            #expect(result.errors.contains("SND-CTL009"))
            #expect(result.errors.contains(socket))
        }
    }
}
