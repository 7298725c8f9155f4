import Foundation
import Glibc
import Testing

/// What a changed configuration does to an agent that runs, and what it leaves alone.
@Suite struct ReloadTests {
    private static func configuration(_ workspace: Workspace, agent: String = "", _ sinks: String) -> String {
        """
        version: 1
        agent: { interval: 100ms, shutdown_grace: 2s, control_socket: \(workspace.path("control.sock"))\(agent) }
        sources:
          - { id: kernel, plugin: procnet, level: all, tables: [dev] }
          - { id: second, plugin: procnet, level: all, tables: [dev], labels: { which: second } }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }
        \(sinks)

        """
    }

    private static func central(_ url: String, _ more: String = "") -> String {
        "  - { id: central, plugin: http, url: \"\(url)\", batch: { wait: 20ms }\(more) }"
    }

    private static func reload(_ workspace: Workspace, _ arguments: String...) async throws -> Workspace.Result {
        try await workspace.run(
            [Checkout.sonde, "reload", "--socket", workspace.path("control.sock")] + arguments)
    }

    private static func status(_ workspace: Workspace) async throws -> [String: Any] {
        let result = try await workspace.run(
            [Checkout.sonde, "status", "--socket", workspace.path("control.sock"), "--format", "json"])
        return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] ?? [:]
    }

    private static func instance(_ id: String, in status: [String: Any]) -> [String: Any]? {
        let all = (status["sources"] as? [[String: Any]] ?? []) + (status["sinks"] as? [[String: Any]] ?? [])
        return all.first { $0["id"] as? String == id }
    }

    /// The ids of the threads of that name.
    private static func threads(_ agent: Agent, named name: String? = nil) -> Set<String> {
        let folder = "/proc/\(agent.process.processID)/task"
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard let name else { return Set(all) }
        return Set(all.filter { (try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8)) == "\(name)\n" })
    }

    @Test func aSourceThatIsTheSameGoesOnAndAChangedSinkGoesOverWithWhatWaits() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(204)]) { first in
                try await ScriptedReceiver.use([.answer(204)]) { second in
                    // Slow enough for no tick to be missed on a machine that is busy.
                    func text(_ url: String) -> String {
                        Self.configuration(workspace, Self.central(url)).replacing("100ms", with: "1s")
                            .replacing("20ms }", with: "20ms }, metrics: \(OwnSeries.excluded)")
                    }
                    let agent = try workspace.startAgent(text(first.url))
                    try await agent.waitForTimes(5, in: "local")
                    try await agent.wait(until: "the first receiver has some") { first.exchanges.count > 3 }
                    let thread = Self.threads(agent, named: "kernel")
                    let before = try await Self.status(workspace)
                    try workspace.write("sonde.yaml", text(second.url))
                    let result = try await Self.reload(workspace)
                    #expect(result.end == .exited(0), "\(result.errors)")
                    #expect(result.output == "changed central; 3 as they were\n")
                    let asked = first.exchanges.count
                    try await agent.wait(until: "the second receiver has some") { second.exchanges.count > 3 }
                    let after = try await Self.status(workspace)
                    #expect(first.exchanges.count == asked)
                    #expect(Self.threads(agent, named: "kernel") == thread)
                    let collections = [before, after].map {
                        Self.instance("kernel", in: $0)?["collections"] as? Int ?? 0
                    }
                    #expect(collections[1] > collections[0])
                    #expect(Self.instance("kernel", in: after)?["missed"] as? Int == 0)
                    #expect(try await agent.stop() == .exited(0))
                    let stretches = (first.exchanges + second.exchanges).compactMap {
                        Stretch($0.headers["sonde-batch"])
                    }
                    #expect(Stretch.areConsecutive(stretches), "\(stretches)")
                    let bodies = (first.exchanges + second.exchanges).flatMap { $0.body }
                    #expect(String(decoding: bodies, as: UTF8.self) == workspace.read("local"))
                    #expect(!agent.log.contains("lost in all"))
                }
            }
        }
    }

    @Test func aMistakeLeavesEverythingAsItWasAndIsTold() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace, ""))
            try await agent.waitForLines(in: "local")
            let threads = Self.threads(agent)
            let good = workspace.read("sonde.yaml")
            try workspace.write("sonde.yaml", good.replacing("id: second, ", with: "id: third, intervall: 1s, "))
            let result = try await Self.reload(workspace)
            #expect(result.end == .exited(78))
            #expect(result.errors.contains("error[SND-RUN007]"))
            #expect(result.errors.contains("sonde.yaml:5:"))
            #expect(Self.threads(agent) == threads)
            let status = try await workspace.run(
                [Checkout.sonde, "status", "--check", "--socket", workspace.path("control.sock")])
            #expect(status.end == .exited(1))
            #expect(status.output.contains("agent  SND-RUN007  configuration"))
            let times = PointLine.times(agent.lines(in: "local")).count
            try await agent.waitForTimes(times + 3, in: "local")
            try workspace.write("sonde.yaml", good)
            #expect(try await Self.reload(workspace).output == "3 as they were\n")
            let mended = try await workspace.run(
                [Checkout.sonde, "status", "--check", "--socket", workspace.path("control.sock")])
            #expect(mended.end == .exited(0), "\(mended.output)")
            #expect(Self.threads(agent) == threads)
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aFileThatCannotBeReadReloadsOnlyTheAgentThatReadsIt() async throws {
        try await Workspace.use { workspace in
            // The usual place of an agent and a command here.
            let text = Self.configuration(workspace, "").replacing("control.sock", with: "sonde.sock")
            let agent = try workspace.startAgent(text)
            try await agent.waitForTimes(1, in: "local")
            let others = [try workspace.write("other.yaml", "sources: ["), workspace.path("none.yaml")]
            for other in others {
                let result = try await workspace.run([Checkout.sonde, "reload", "-c", other])
                #expect(result.end == .exited(78))
                #expect(result.output == "")
                #expect(result.errors.contains("the control socket is not known: \(other):"), "\(result)")
                #expect(result.errors.contains("--socket"), "\(result)")
            }
            #expect(!agent.log.contains("reading the configuration again"))
            let own = try workspace.write("sonde.yaml", "sources: [")
            let refused = try await workspace.run([Checkout.sonde, "reload", "-c", own])
            #expect(refused.end == .exited(78))
            #expect(refused.errors.contains("SND-RUN007"), "\(refused)")
            #expect(agent.log.contains("reading the configuration again"))
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func whatNeedsARestartRefusesTheWhole() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace, ""))
            try await agent.waitForLines(in: "local")
            let changed = Self.configuration(workspace, agent: ", state_dir: \(workspace.path("state"))", "")
            try workspace.write("sonde.yaml", changed.replacing("id: second, ", with: "id: third, "))
            let result = try await Self.reload(workspace)
            #expect(result.end == .exited(78))
            #expect(result.errors.contains("error[SND-RUN008]"))
            #expect(result.errors.contains("agent.state_dir cannot change while the agent runs"))
            let status = try await Self.status(workspace)
            #expect(Self.instance("second", in: status) != nil)
            #expect(Self.instance("third", in: status) == nil)
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aSinkThatIsHeldGoesOnAtOnceWhenItsCredentialWasMended() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(401), .answer(204)]) { receiver in
                let token = try workspace.write("token", "wrong\n")
                let sink = Self.central(
                    receiver.url, ", allow_insecure: true, auth: { bearer: \"${file:\(token)}\" }")
                let agent = try workspace.startAgent(Self.configuration(workspace, sink))
                try await agent.waitForLog("error[SND-HTTP401]")
                try await agent.waitForTimes(5, in: "local")
                #expect(receiver.exchanges.count == 1)
                try workspace.write("token", "right\n")
                #expect(try await Self.reload(workspace).output == "changed central; 3 as they were\n")
                try await agent.wait(until: "it delivers") { receiver.exchanges.count > 2 }
                #expect(receiver.exchanges[1].headers["authorization"] == "Bearer right")
                #expect(receiver.exchanges[0].body == receiver.exchanges[1].body)
                #expect(try await agent.stop() == .exited(0))
                let stretches = receiver.exchanges.dropFirst().compactMap { Stretch($0.headers["sonde-batch"]) }
                #expect(Stretch.areConsecutive(stretches))
                #expect(!agent.log.contains("wrong") && !agent.log.contains("right"))
            }
        }
    }

    @Test func aSinkThatIsHeldTriesAgainAlsoWhereNothingWasChangedInTheFile() async throws {
        try await Workspace.use { workspace in
            let gone = workspace.path("not/there/yet")
            let agent = try workspace.startAgent(
                Self.configuration(workspace, "  - { id: far, plugin: file, path: \(gone), batch: { wait: 20ms } }"))
            try await agent.waitForLog("error[SND-FIL002] far: ")
            try FileManager.default.createDirectory(
                atPath: workspace.path("not/there"), withIntermediateDirectories: true)
            #expect(try await Self.reload(workspace).output == "4 as they were\n")
            try await agent.waitForLines(in: "not/there/yet")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func instancesComeAndGoAndWhatARemovedSinkLeavesIsInTheLedger() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(503)]) { receiver in
                let agent = try workspace.startAgent(
                    Self.configuration(workspace, Self.central(receiver.url, ", retry: { base: 10s }")))
                try await agent.waitForTimes(4, in: "local")
                try await agent.wait(until: "the receiver refuses") { !receiver.exchanges.isEmpty }
                let more = "  - { id: more, plugin: file, path: \(workspace.path("more")), batch: { wait: 20ms } }"
                try workspace.write(
                    "sonde.yaml", Self.configuration(workspace, more).replacing("id: second, ", with: "id: third, "))
                #expect(
                    try await Self.reload(workspace).output
                        == "added third, more; removed second, central; 2 as they were\n")
                try await agent.waitForLines(in: "more")
                let status = try await Self.status(workspace)
                let ids = ["sources", "sinks"].map { side in
                    (status[side] as? [[String: Any]] ?? []).map { $0["id"] as? String }
                }
                #expect(ids == [["kernel", "third"], ["local", "more"]])
                let losses = status["losses"] as? [[String: Any]] ?? []
                let lost = losses.first { $0["reason"] as? String == "sink_removed" }
                #expect(lost?["component"] as? String == "central")
                #expect((lost?["count"] as? Int ?? 0) > 0)
                #expect(try await agent.stop() == .exited(0))
            }
        }
    }

    @Test func twentyReloadsLeaveNothingBehind() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(204)]) { receiver in
                let state = ", state_dir: \(workspace.path("state"))"
                let texts = ["a", "b"].map { label in
                    Self.configuration(
                        workspace, agent: state, Self.central(receiver.url, ", headers: { X-Turn: \(label) }")
                    ).replacing("which: second }", with: "which: second }, interval: \(label == "a" ? 100 : 110)ms")
                }
                let agent = try workspace.startAgent(texts[0])
                try await agent.waitForTimes(3, in: "local")
                func turn(_ number: Int) async throws {
                    try workspace.write("sonde.yaml", texts[number % 2])
                    #expect(try await Self.reload(workspace).output == "changed second, central; 2 as they were\n")
                }
                // What only a first reload needs is there after some.
                for number in 1...4 { try await turn(number) }
                let threads = Self.threads(agent).count
                let descriptors = Self.descriptors(agent)
                let memory = Self.residentKilobytes(agent)
                for number in 5...24 { try await turn(number) }
                #expect(Self.threads(agent).count == threads)
                // A few come and go with collections and requests; one left by each reload would be twenty.
                #expect(Self.descriptors(agent) < descriptors + 10)
                #expect(Self.residentKilobytes(agent) - memory < 2_048)
                #expect(try await agent.stop() == .exited(0))
                let stretches = receiver.exchanges.compactMap { Stretch($0.headers["sonde-batch"]) }
                #expect(Stretch.areConsecutive(stretches))
                #expect(!agent.log.contains("lost in all"))
            }
        }
    }

    private static func descriptors(_ agent: Agent) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent.process.processID)/fd"))?.count ?? -1
    }

    private static func residentKilobytes(_ agent: Agent) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(agent.process.processID)/status", encoding: .utf8)) ?? ""
        return text.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) } ?? .max / 2
    }

    @Test func tenHangUpsInARowAreOneOrTwoReloads() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace, ""))
            try await agent.waitForLines(in: "local")
            for _ in 0..<10 { agent.process.send(SIGHUP) }
            try await agent.waitForLog("the configuration was read again: 3 as they were")
            // A request is served after what came before it.
            #expect(try await Self.reload(workspace).end == .exited(0))
            let count = agent.log.matches(of: /the configuration was read again/).count
            #expect((2...3).contains(count), "\(count)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aHangUpBeforeTheAgentIsReadyDoesNotEndIt() async throws {
        try await Workspace.use { workspace in
            var agent = try workspace.startAgent(Self.configuration(workspace, ""))
            // On a busy machine an agent may be ready before this test looks again: the next one is tried.
            while try await Self.hangUpsUntilReady(agent) == 0 {
                #expect(try await agent.stop() == .exited(0))
                agent = try workspace.startAgent(Self.configuration(workspace, ""))
            }
            try await agent.waitForLines(in: "local")
            try await agent.waitForLog("the configuration was read again: 3 as they were")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    /// Sends hang-ups from the program's first lines on, which are before anything is read; how many there were.
    private static func hangUpsUntilReady(_ agent: Agent) async throws -> Int {
        let status = "/proc/\(agent.process.processID)/status"
        try await agent.wait(until: "hang-ups are held") {
            let text = (try? String(contentsOfFile: status, encoding: .utf8)) ?? ""
            let blocked = text.firstMatch(of: /SigBlk:\s+([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) } ?? 0
            return blocked & 1 == 1
        }
        var count = 0
        while !agent.log.contains(" runs: ") {
            agent.process.send(SIGHUP)
            count += 1
            try await Task.sleep(for: .milliseconds(2))
            try #require(!agent.process.hasEnded())
        }
        return count
    }

    @Test func aStopDuringAReloadIsAStop() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.silence]) { receiver in
                let agent = try workspace.startAgent(
                    Self.configuration(workspace, Self.central(receiver.url, ", timeout: 10m")))
                try await agent.wait(until: "a delivery hangs") { !receiver.exchanges.isEmpty }
                try workspace.write(
                    "sonde.yaml", Self.configuration(workspace, Self.central(receiver.url, ", timeout: 9m")))
                agent.process.send(SIGHUP)
                // The changed sink is asked to end, and its delivery does not.
                try await Task.sleep(for: .milliseconds(700))
                let began = ContinuousClock.now
                #expect(try await agent.stop() == .exited(0))
                #expect(ContinuousClock.now - began < .seconds(6))
            }
        }
    }

    @Test func theServiceManagerIsToldOfTheStartTheReloadAndTheStop() async throws {
        try await Workspace.use { workspace in
            let inbox = try NotifyInbox(workspace.path("notify"))
            let file = try workspace.write("sonde.yaml", Self.configuration(workspace, ""))
            let process = try workspace.start(
                [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory,
                environment: ["NOTIFY_SOCKET": inbox.path], as: "agent")
            let agent = Agent(process: process, workspace: workspace)
            try await agent.wait(until: "READY") { inbox.messages.count == 2 }
            #expect(inbox.messages == ["READY=1", "WATCHDOG=1\nSTATUS=3 of 3 sources and sinks work"])
            #expect(try await Self.reload(workspace).end == .exited(0))
            try await agent.wait(until: "READY again") { inbox.messages.count == 4 }
            #expect(inbox.messages[2].wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=\d+/) != nil)
            #expect(inbox.messages[3] == "READY=1")
            #expect(try await agent.stop() == .exited(0))
            try await eventually("STOPPING") { inbox.messages.last == "STOPPING=1" }
        }
    }

    @Test func theWatchdogIsFedWhileTheLoopRunsAndSaysWhatFails() async throws {
        try await Workspace.use { workspace in
            let inbox = try NotifyInbox(workspace.path("notify"))
            let central = Self.central("http://127.0.0.1:9", "")
            let file = try workspace.write("sonde.yaml", Self.configuration(workspace, central))
            let process = try workspace.start(
                [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory,
                environment: ["NOTIFY_SOCKET": inbox.path, "WATCHDOG_USEC": "400000"], as: "agent")
            let agent = Agent(process: process, workspace: workspace)
            let failing = /WATCHDOG=1\nSTATUS=3 of 4 sources and sinks work; failing: central \(SND-CRL\d+\)/
            try await agent.wait(until: "its sink fails") {
                inbox.messages.contains { $0.wholeMatch(of: failing) != nil }
            }
            agent.process.send(SIGSTOP)
            let stat = "/proc/\(agent.process.processID)/stat"
            try await eventually("it is stopped") {
                try String(contentsOfFile: stat, encoding: .utf8).contains(") T ")
            }
            let count = inbox.messages.count
            try await Task.sleep(for: .milliseconds(900))
            #expect(inbox.messages.count == count)
            agent.process.send(SIGCONT)
            try await agent.wait(until: "it is fed again") { inbox.messages.count > count + 2 }
            #expect(try await agent.stop() == .exited(0))
        }
    }
}
