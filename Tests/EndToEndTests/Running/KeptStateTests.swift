import Foundation
import Glibc
import Testing

/// State directories as released agents have left them (Fixtures/State), in the agent of today.
///
/// What kept them delivered six batches, had one refused, and was stopped while its receiver was down.
@Suite struct KeptStateTests {
    static let releases: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: KeptState.fixtures)) ?? []
        return names.filter { $0.hasSuffix(".tar.gz") }.map { String($0.dropLast(".tar.gz".count)) }.sorted()
    }()

    @Test func thereIsOneOfEachReleasedFormat() {
        #expect(Self.releases.contains("0.1.0"))
    }

    @Test(arguments: releases) func itIsReadWhole(_ release: String) async throws {
        try await Workspace.use { workspace in
            let state = try await KeptState(release, in: workspace)
            try await ScriptedReceiver.use([.answer(204)]) { receiver in
                let agent = try await state.start(sendingTo: receiver.url)
                let waited = state.facts.next..<(state.facts.next + state.facts.waiting)
                try await agent.wait(until: "what waited is delivered") {
                    receiver.exchanges.compactMap { KeptState.range($0.headers["sonde-batch"] ?? "") }
                        .contains { $0.last >= waited.upperBound }
                }
                let log = try #require(state.facts.delivered.compactMap(KeptState.range).last?.log)
                let ranges = receiver.exchanges.compactMap { KeptState.range($0.headers["sonde-batch"] ?? "") }
                // It goes on at the cursor, in the same log, and leaves nothing out.
                #expect(ranges.first?.first == state.facts.next)
                #expect(ranges.allSatisfy { $0.log == log })
                for (range, following) in zip(ranges, ranges.dropFirst()) {
                    #expect(following.first == range.last + 1)
                }
                try await state.checkSource(agent)
                try await state.checkHistory()
                try await state.checkDeadLetter(receiver, agent)
                #expect(try await agent.stop() == .exited(0))
                for code in ["SND-SPL", "SND-HIS", "SND-FIL", "SND-RUN011"] {
                    #expect(!agent.log.contains(code), "\(agent.log)")
                }
            }
        }
    }

    @Test(arguments: releases) func ofALaterVersionItIsSetAsideWithoutAChange(_ release: String) async throws {
        try await Workspace.use { workspace in
            let state = try await KeptState(release, in: workspace)
            try state.pretendToBeLater()
            let spool = try state.files("state/spool")
            #expect(spool.count > 2)
            try await ScriptedReceiver.use([.answer(204)]) { receiver in
                let agent = try await state.start(sendingTo: receiver.url)
                try await agent.wait(until: "new points are delivered") {
                    receiver.exchanges.filter(\.isAcknowledged).count > 2
                }
                #expect(
                    agent.log.contains("error[SND-SPL004] the spool '\(workspace.path("state/spool"))': its format is"))
                #expect(agent.log.contains("give the folder its name back"))
                try await agent.waitForLog("error[SND-HIS006]")
                #expect(try await agent.stop() == .exited(0))
                #expect(try state.files("state/spool.v9") == spool)
                #expect(FileManager.default.fileExists(atPath: workspace.path("state/history.db.set-aside")))
            }
        }
    }
}

/// A state directory in a workspace.
private struct KeptState {
    /// What is in one of them.
    struct Facts: Decodable {
        /// When it was stopped, in seconds since 1970.
        let made: Double
        /// The batches that the receiver has taken.
        let delivered: [String]
        /// The number at which the sink goes on.
        let next: Int
        /// How many points waited before the last collection.
        let waiting: Int
        /// The name of the batch that was refused.
        let deadLetter: String
    }

    static let fixtures = Checkout.path("Tests/EndToEndTests/Fixtures/State")
    let workspace: Workspace
    let facts: Facts

    init(_ release: String, in workspace: Workspace) async throws {
        self.workspace = workspace
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        facts = try decoder.decode(
            Facts.self, from: Data(contentsOf: URL(filePath: "\(Self.fixtures)/\(release).json")))
        let command = ["/bin/tar", "xzf", "\(Self.fixtures)/\(release).tar.gz", "-C", workspace.directory]
        let result = try await workspace.run(command)
        try #require(result.end == .exited(0), "\(result.errors)")
    }

    /// Starts the agent, for which it is a minute after the state was kept.
    func start(sendingTo url: String) async throws -> Agent {
        let counting = try workspace.write("counting", Checkout.text("Tests/EndToEndTests/Fixtures/State/counting"))
        chmod(counting, 0o755)
        let configuration = try Checkout.text("Tests/EndToEndTests/Fixtures/State/sonde.yaml")
            .replacing("FOLDER", with: workspace.directory).replacing("\"URL\"", with: "\"\(url)\"")
        let clock = try await MovedClock(in: workspace)
        try clock.move(by: facts.made + 60 - Date.now.timeIntervalSince1970)
        return try workspace.startAgent(configuration, environment: clock.environment)
    }

    func ask(_ words: String...) async throws -> Workspace.Result {
        try await workspace.run([Checkout.sonde] + words + ["--socket", workspace.path("s.sock")])
    }

    /// The first number and the last of a batch, and its log; nil for what goes ahead of it.
    static func range(_ batch: String) -> (log: Substring, first: Int, last: Int)? {
        let parts = batch.split(separator: "/")
        let numbers = parts.last?.split(separator: "-").compactMap { Int($0) } ?? []
        guard parts.count == 3, !parts[1].hasSuffix("-now"), numbers.count == 2 else { return nil }
        return (parts[1], numbers[0], numbers[1])
    }

    /// The source was handed the checkpoint that it had committed last.
    func checkSource(_ agent: Agent) async throws {
        let form = /goes on after (\d+)/
        try await agent.wait(until: "the source says where it goes on") { agent.log.firstMatch(of: form) != nil }
        #expect(try Int(#require(agent.log.firstMatch(of: form)).1) ?? 0 > 5)
    }

    /// The history of then is shown.
    func checkHistory() async throws {
        let result = try await ask("history", "--metric", "connections.tcp", "--range", "1h", "--format", "ndjson")
        #expect(result.end == .exited(0), "\(result.errors)")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let times = try result.output.matches(of: /"time":"([^"]+)"/).map {
            try style.parse(String($0.1)).timeIntervalSince1970
        }
        #expect(times.contains { $0 <= facts.made }, "\(result.output.prefix(500))")
    }

    /// The batch that was refused is listed, and is delivered when it is asked for.
    func checkDeadLetter(_ receiver: ScriptedReceiver, _ agent: Agent) async throws {
        let list = try await ask("spool", "list", "--format", "json")
        #expect(list.output.contains(facts.deadLetter), "\(list.output)")
        let replay = try await ask("spool", "replay", "--sink", "central", "--dead-letter", facts.deadLetter)
        #expect(replay.end == .exited(0), "\(replay.errors)")
        let numbers = facts.deadLetter.matches(of: /0000(\d{16})/).compactMap { Int($0.1) }
        try await agent.wait(until: "the dead letter is delivered") {
            receiver.exchanges.compactMap { Self.range($0.headers["sonde-batch"] ?? "") }
                .contains { [$0.first, $0.last] == numbers }
        }
    }

    /// Raises the versions in the newest segment and in the history.
    func pretendToBeLater() throws {
        let spool = workspace.path("state/spool")
        let names = try FileManager.default.contentsOfDirectory(atPath: spool)
        let newest = try #require(names.filter { $0.hasSuffix(".seg") }.max())
        try overwrite("\(spool)/\(newest)", at: 8, [9])
        // A history of which no log says otherwise: docs/spec/history.md has user_version, which SQLite keeps at 60.
        for suffix in ["-wal", "-shm"] { unlink(workspace.path("state/history.db\(suffix)")) }
        try overwrite(workspace.path("state/history.db"), at: 60, [0, 0, 0, 9])
    }

    private func overwrite(_ path: String, at offset: UInt64, _ bytes: [UInt8]) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        defer { try? file.close() }
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes))
    }

    /// The files of a folder by name, but the lock.
    func files(_ folder: String) throws -> [String: Data] {
        let path = workspace.path(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "LOCK" }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: "\(path)/\($0)"))) })
    }
}
