import Glibc
import Testing

/// Signals, the final collection, and the time that a stop may take.
@Suite struct StopTests {
    private static func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent: { interval: 1h }
        sources: [{ id: kernel, plugin: procnet, level: all }]
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private static func configuration(sendingTo url: String, grace: String) -> String {
        """
        version: 1
        agent: { interval: 100ms, shutdown_grace: \(grace) }
        sources: [{ id: kernel, plugin: procnet, level: all, tables: [dev] }]
        sinks:
          - { id: central, plugin: http, url: "\(url)", timeout: 10m, batch: { wait: 20ms } }

        """
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aStopCollectsALastTimeAndDeliversIt(_ signal: Int32) async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForLines(in: "local")
            #expect(try await agent.stop(signal) == .exited(0))
            let lines = agent.lines(in: "local")
            #expect(PointLine.times(lines).count == 2)
            #expect(workspace.read("local").hasSuffix("\n"))
            #expect(agent.log.contains("info stopping: "))
            #expect(!agent.log.contains("error"))
        }
    }

    @Test func theAgentReportsOfItselfAndSaysLastThatItStops() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.wait(until: "a report of the agent itself in local") {
                agent.lines(in: "local").contains { $0.contains("sonde.agent.stopping") }
            }
            #expect(try await agent.stop() == .exited(0))
            let points = try PointLine.all(workspace.read("local"))
            func values(_ name: String) -> [Double?] { points.filter { $0.name == name }.map(\.value) }
            #expect(values("sonde.agent.stopping") == [0, 1])
            #expect(values("sonde.agent.configuration.generation") == [1, 1])
            #expect(values("sonde.source.up") == [1, 1])
            #expect(values("sonde.sink.queue.point").count == 2)
            #expect((values("sonde.agent.memory.usage").last.flatMap(\.self) ?? 0) > 1e6)
            #expect((values("sonde.agent.open_file_descriptor.current").last.flatMap(\.self) ?? 0) > 5)
            #expect((values("sonde.agent.thread.current").last.flatMap(\.self) ?? 0) >= 3)
            // What the last collection brought is before it.
            #expect(points.last?.name.hasPrefix("sonde.") == true)
            #expect(points.last?.time == points.last { $0.name == "sonde.agent.stopping" }?.time)
        }
    }

    @Test func whatWaitsForASlowBatchIsDeliveredAtTheStop() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(204)]) { receiver in
                let counted = #"metrics: { include: ["system.*"] }"#
                // Nothing but the wait ends it, however late this test is told that the file has grown.
                let slow = Self.configuration(sendingTo: receiver.url, grace: "10s")
                    .replacing("{ wait: 20ms }", with: "{ wait: 1h, samples: 1000000, bytes: 64MiB }, \(counted)")
                let local =
                    "  - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms }, \(counted) }\n"
                let agent = try workspace.startAgent(slow + local)
                try await agent.waitForTimes(3, in: "local")
                #expect(receiver.exchanges.isEmpty)
                #expect(try await agent.stop() == .exited(0))
                #expect(receiver.exchanges.count == 1)
                let body = String(decoding: receiver.exchanges.first?.body ?? [], as: UTF8.self)
                #expect(body == workspace.read("local"))
                // A busy host makes a collection take longer than the interval, which the log has to say.
                #expect(!agent.log.replacing("SND-RUN001", with: "").contains("SND-"), "\(agent.log)")
            }
        }
    }

    @Test func aReceiverThatHangsCannotHoldTheStopAndWhatIsLostIsTold() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.silence]) { receiver in
                let agent = try workspace.startAgent(Self.configuration(sendingTo: receiver.url, grace: "1s"))
                try await agent.wait(until: "a delivery hangs") { !receiver.exchanges.isEmpty }
                let began = ContinuousClock.now
                let end = try await agent.stop()
                #expect(ContinuousClock.now - began <= .seconds(3))
                #expect(end == .exited(0))
                #expect(agent.log.contains("error[SND-RUN004] central: "))
                #expect(agent.log.contains("points that were still waiting at the stop are lost: "))
                #expect(agent.log.contains("(undelivered_at_stop)"))
            }
        }
    }

    @Test func aSinkThatIsHeldUntilSomebodyActsDoesNotHoldTheStop() async throws {
        try await Workspace.use { workspace in
            let text = Self.configuration(workspace).replacing(
                workspace.path("local"), with: workspace.path("no/local"))
            // A second one shows that there is something to lose: a source may begin after the first sink was held.
            let both = text + "  - { id: seen, plugin: file, path: \(workspace.path("seen")), batch: { wait: 20ms } }\n"
            let agent = try workspace.startAgent(both.replacing("1h }", with: "100ms, shutdown_grace: 1m }"))
            try await agent.waitForLog("error[SND-FIL002] local: ")
            try await agent.waitForLines(in: "seen")
            #expect(try await agent.stop() == .exited(0))
            #expect(agent.log.contains("(undelivered_at_stop)"))
        }
    }

    @Test func aSecondSignalEndsTheAgentAtOnce() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.silence]) { receiver in
                let agent = try workspace.startAgent(Self.configuration(sendingTo: receiver.url, grace: "10m"))
                try await agent.wait(until: "a delivery hangs") { !receiver.exchanges.isEmpty }
                agent.process.send(SIGTERM)
                try await agent.waitForLog("info stopping: ")
                // Within half a second it would be taken for an echo of the first one.
                let echo = ContinuousClock.now + .milliseconds(700)
                try await eventually("the echo time is over") { ContinuousClock.now > echo }
                let end = try await agent.stop(within: .seconds(5))
                #expect(end == .exited(1))
                #expect(agent.log.contains("second signal: ending at once"))
            }
        }
    }

    @Test func anEchoOfTheSignalIsNotASecondOne() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            try await agent.waitForLines(in: "local")
            agent.process.send(SIGTERM)
            #expect(try await agent.stop() == .exited(0))
            #expect(!agent.log.contains("second signal"))
        }
    }

    @Test func aSignalThatMeansNothingToTheAgentDoesNotEndIt() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace).replacing("1h", with: "100ms"))
            try await agent.waitForLines(in: "local")
            for signal in [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGIO, SIGXFSZ] { agent.process.send(signal) }
            let times = PointLine.times(agent.lines(in: "local")).count
            try await agent.waitForTimes(times + 2, in: "local")
            #expect(try await agent.stop() == .exited(0))
            #expect(agent.log.contains("info stopping: "))
        }
    }
}
