import Foundation
import Glibc
import Testing

/// What a running agent says when it is asked.
@Suite struct StatusTests {
    /// The parts of an answer that the tests look at.
    private struct Status: Decodable {
        struct Failure: Decodable {
            let code: String
            let `class`: String
            let message: String
            let since: String
            let count: Int
            let ended: String?
            let recovery: [String]
        }

        struct Queue: Decodable {
            let points: Int
            let bytes: Int
            let oldest: String?
        }

        struct Instance: Decodable {
            let id: String
            let plugin: String
            let state: String
            let lastSuccess: String?
            let nextAttempt: String?
            let error: Failure?
            let queue: Queue?
            let samples: Int?
            let failures: Int
        }

        struct Agent: Decodable {
            let pid: Int32
            let config: String
        }

        let agent: Agent
        let sources: [Instance]
        let sinks: [Instance]

        func source(_ id: String) -> Instance? { sources.first { $0.id == id } }
        func sink(_ id: String) -> Instance? { sinks.first { $0.id == id } }
    }

    private static func configuration(_ workspace: Workspace, sendingTo url: String, socket: String) -> String {
        """
        version: 1
        agent: { interval: 100ms, control_socket: \(socket), shutdown_grace: 1s }
        sources:
          - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }
          - { id: gone, plugin: procnet, level: all, proc: \(workspace.path("nowhere")) }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }
          - { id: central, plugin: http, url: "\(url)", batch: { wait: 20ms }, retry: { base: 20ms, cap: 200ms } }

        """
    }

    /// An agent with one source and one file, nothing broken.
    private static func healthy(_ workspace: Workspace, interval: String = "100ms") -> String {
        """
        version: 1
        agent: { interval: \(interval), control_socket: \(workspace.path("s.sock")) }
        sources: [{ id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }]
        sinks: [{ id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }]

        """
    }

    private static func ask(_ workspace: Workspace, _ words: String...) async throws -> Workspace.Result {
        try await workspace.run([Checkout.sonde] + words)
    }

    private static func status(_ workspace: Workspace, _ socket: String) async throws -> Status {
        let result = try await ask(workspace, "status", "--socket", socket, "--format", "json")
        #expect(result.end == .exited(0), "\(result.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Status.self, from: Data(result.output.utf8))
    }

    /// Asks until the answer is as wanted.
    private static func status(
        _ workspace: Workspace, _ socket: String, until isWanted: (Status) -> Bool
    ) async throws -> Status {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            let status = try await status(workspace, socket)
            if isWanted(status) { return status }
            try #require(ContinuousClock.now < end, "\(status)")
        }
    }

    @Test func aBrokenSourceAndAReceiverThatIsDownAreShownWithTheirErrors() async throws {
        try await Workspace.use { workspace in
            let (holder, port) = try Loopback.reservedPort()
            defer { close(holder) }
            let socket = workspace.path("s.sock")
            let url = "http://127.0.0.1:\(port)/"
            let agent = try workspace.startAgent(Self.configuration(workspace, sendingTo: url, socket: socket))
            try await agent.waitForLines(in: "local")
            let early = try await Self.status(workspace, socket) { ($0.sink("central")?.failures ?? 0) >= 2 }
            #expect(early.agent.pid == agent.process.processID)
            #expect(early.agent.config == workspace.path("sonde.yaml"))
            #expect(early.source("kernel")?.state == "running")
            #expect(early.source("kernel")?.error == nil)
            #expect((early.source("kernel")?.samples ?? 0) > 0)
            #expect(early.source("kernel")?.lastSuccess != nil)
            let gone = try #require(early.source("gone"))
            #expect(gone.state == "held")
            #expect(gone.error?.code == "SND-PRC001")
            #expect(gone.error?.class == "configuration")
            #expect(gone.error?.recovery.isEmpty == false)
            #expect(gone.nextAttempt != nil)
            #expect(gone.lastSuccess == nil)
            let central = try #require(early.sink("central"))
            #expect(central.state == "backing_off")
            #expect(central.error?.class == "transient")
            #expect(central.error?.code.hasPrefix("SND-") == true)
            #expect(central.nextAttempt != nil)
            let waiting = try #require(central.queue)
            #expect(waiting.points > 0 && waiting.bytes > 0 && waiting.oldest != nil)
            let later = try await Self.status(workspace, socket) {
                ($0.sink("central")?.queue?.points ?? 0) > waiting.points
            }
            #expect(later.sink("central")?.queue?.oldest.map { $0.prefix(19) } == waiting.oldest?.prefix(19))
            let table = try await Self.ask(workspace, "status", "-c", workspace.path("sonde.yaml"))
            for text in ["backing off", "held", "FAILURES", "SND-PRC001", "next attempt: in", "do: "] {
                #expect(table.output.contains(text), "\(text) is missing in\n\(table.output)")
            }
            #expect(try await Self.ask(workspace, "status", "--check", "--socket", socket).end == .exited(1))
            let spool = try await Self.ask(workspace, "spool", "status", "--socket", socket)
            #expect(spool.end == .exited(0))
            #expect(spool.output.contains("central"))
        }
    }

    @Test func aReceiverThatComesBackEndsTheFailure() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(503), .answer(503), .answer(204)]) { receiver in
                let socket = workspace.path("s.sock")
                let agent = try workspace.startAgent(
                    Self.configuration(workspace, sendingTo: receiver.url, socket: socket))
                try await agent.waitForLines(in: "local")
                let status = try await Self.status(workspace, socket) { $0.sink("central")?.lastSuccess != nil }
                let error = try #require(status.sink("central")?.error)
                #expect(error.ended != nil)
                #expect(error.count == 2)
                #expect(["running", "idle"].contains(status.sink("central")?.state))
            }
        }
    }

    @Test func withoutAnAgentTheAnswerIsToTryAgainLater() async throws {
        try await Workspace.use { workspace in
            for words in [["status"], ["spool", "status"]] {
                let result = try await workspace.run([Checkout.sonde] + words + ["--socket", workspace.path("s.sock")])
                #expect(result.end == .exited(75))
                #expect(result.errors.hasPrefix("error[SND-CTL009] no agent answers at '\(workspace.path("s.sock"))'"))
                #expect(result.output == "")
            }
        }
    }

    @Test func anAgentThatWorksPassesTheCheckAndItsSocketGoesWithIt() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.healthy(workspace))
            try await agent.waitForLines(in: "local")
            #expect(
                try await Self.ask(workspace, "status", "--check", "--socket", workspace.path("s.sock")).end
                    == .exited(0))
            #expect(try await agent.stop() == .exited(0))
            #expect(access(workspace.path("s.sock"), F_OK) != 0)
            #expect(!agent.log.contains("SND-CTL"))
        }
    }

    @Test func theSocketOfAnAgentThatWasKilledIsReplaced() async throws {
        try await Workspace.use { workspace in
            let first = try workspace.startAgent(Self.healthy(workspace))
            try await first.waitForLines(in: "local")
            first.process.kill()
            #expect(access(workspace.path("s.sock"), F_OK) == 0)
            let second = try workspace.startAgent(Self.healthy(workspace))
            try await second.waitForLog("runs: kernel to local")
            let pid = try await eventually("the second agent answers") {
                access(workspace.path("s.sock"), F_OK) == 0 ? second.process.processID : nil
            }
            let status = try await Self.status(workspace, workspace.path("s.sock"))
            #expect(status.agent.pid == pid)
        }
    }

    @Test func aSecondAgentWithTheSameSocketRunsWithoutOne() async throws {
        try await Workspace.use { workspace in
            let first = try workspace.startAgent(Self.healthy(workspace))
            try await first.waitForLines(in: "local")
            let other = try workspace.write(
                "other.yaml", Self.healthy(workspace).replacing(workspace.path("local"), with: workspace.path("other")))
            let second = try workspace.start(
                [Checkout.sonde, "run", "-c", other] + Workspace.pluginDirectory, as: "second")
            try await eventually("the second agent works") { !workspace.read("other").isEmpty }
            #expect(workspace.read("second.err").contains("warning[SND-CTL002] another agent answers at"))
            second.send(SIGTERM)
            #expect(try await second.waitForEnd() == .exited(0))
            #expect(try await Self.status(workspace, workspace.path("s.sock")).agent.pid == first.process.processID)
        }
    }

    @Test func aSocketThatCannotBeMadeIsAWarningAndTheAgentRuns() async throws {
        try await Workspace.use { workspace in
            let bad = Self.healthy(workspace).replacing(workspace.path("s.sock"), with: "/proc/nowhere/s.sock")
            let agent = try workspace.startAgent(bad)
            try await agent.waitForLines(in: "local")
            #expect(agent.log.contains("warning[SND-CTL001] the directory '/proc/nowhere' cannot be made"))
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func anAgentThatShouldHaveNoSocketHasNone() async throws {
        try await Workspace.use { workspace in
            let none = Self.healthy(workspace).replacing(workspace.path("s.sock"), with: "none")
            let agent = try workspace.startAgent(none)
            try await agent.waitForLines(in: "local")
            let result = try await Self.ask(workspace, "status", "-c", workspace.path("sonde.yaml"))
            #expect(result.end == .exited(75))
            #expect(result.errors.contains("this configuration has no control socket"))
        }
    }

    @Test func theRuntimeDirectoryOfTheUnitHoldsTheSocketWhenNothingElseIsSaid() async throws {
        try await Workspace.use { workspace in
            let text = Self.healthy(workspace).replacing(", control_socket: \(workspace.path("s.sock"))", with: "")
            let agent = try workspace.startAgent(text)
            try await agent.waitForLines(in: "local")
            let result = try await Self.ask(workspace, "status")
            #expect(result.end == .exited(0), "\(result.errors)")
            #expect(access(workspace.path("sonde.sock"), F_OK) == 0)
        }
    }

    @Test func theSocketWakesNobodyWhileNobodyAsks() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.healthy(workspace, interval: "1h"))
            try await agent.waitForLines(in: "local")
            _ = try await Self.status(workspace, workspace.path("s.sock"))
            // Memory is given back once, two seconds after the start.
            let settled = ContinuousClock.now + .seconds(3)
            try await eventually("the agent has settled") { ContinuousClock.now > settled }
            let before = try Self.switches(of: agent)
            let later = ContinuousClock.now + .seconds(2)
            try await eventually("two seconds more") { ContinuousClock.now > later }
            #expect(try Self.switches(of: agent) == before)
        }
    }

    /// How often the loop's thread has waited so far, proc_pid_status(5).
    private static func switches(of agent: Agent) throws -> Substring {
        let text = try String(contentsOfFile: "/proc/\(agent.process.processID)/status", encoding: .utf8)
        return try #require(text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") })
    }
}
