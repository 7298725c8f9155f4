import Foundation
import Glibc
import Testing

/// `sonde top` on a terminal, against a running agent.
@Suite struct TopTests {
    /// A terminal that shows the agent at the workspace's socket.
    private struct Screen {
        let terminal: PseudoTerminal
        let process: ProcessGroup

        init(
            _ workspace: Workspace, rows: UInt16 = 24, columns: UInt16 = 80, environment: [String: String] = [:]
        ) throws {
            terminal = try PseudoTerminal(rows: rows, columns: columns)
            process = try workspace.start(
                [Checkout.sonde, "top", "--socket", workspace.path("sonde.sock")],
                environment: ["TERM": "xterm"].merging(environment) { $1 },
                streams: ProcessGroup.Streams(input: terminal.child, output: terminal.child, errors: terminal.child))
        }

        func text(rows: Int = 24, columns: Int = 80) -> ScreenText {
            ScreenText(terminal.screen.drain(), rows: rows, columns: columns)
        }

        func wait(_ what: String, rows: Int = 24, columns: Int = 80, _ condition: (ScreenText) -> Bool) async throws {
            try await eventually("\(what); the screen:\n\(text(rows: rows, columns: columns).text)") {
                condition(text(rows: rows, columns: columns))
            }
        }

        func wait(for part: String) async throws {
            try await wait("'\(part)' on the screen") { $0.text.contains(part) }
        }

        func press(_ keys: String) { terminal.screen.write(keys) }

        /// Quits, and says whether the terminal is as it was.
        func end() async throws -> ProcessGroup.End {
            press("q")
            let end = try await process.waitForEnd()
            #expect(!text().isAlternate)
            #expect(text().hasCursor)
            return end
        }
    }

    private static func configuration(_ workspace: Workspace, host: String = "probe-1") -> String {
        """
        version: 1
        agent: { interval: 100ms, host: \(host), control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s }
        sources:
          - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("linux-6.18")), tables: [dev, snmp, sockstat] }
          - { id: gone, plugin: procnet, level: all, proc: /nonexistent }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private func useAgent(_ body: (Workspace, Agent) async throws -> Void) async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            // A counter's first reading tells no rate.
            try await agent.waitForTimes(4, in: "local")
            try await body(workspace, agent)
        }
    }

    /// The text without times, ages, and the dots of charts.
    private static func timeless(_ text: String) -> String {
        text.replacing(/\d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC/, with: "<time>")
            .replacing(/\d\d:\d\d:\d\d/, with: "hh:mm:ss")
            .replacing(/for \d+(ms|s|m\d+s|m)/, with: "for <age>")
            .replacing(/[\u{2800}-\u{28ff}]/, with: "")
            .replacing(/\ +\n/, with: "\n")
            .replacing(Checkout.root.path, with: "<checkout>")
    }

    @Test(arguments: ["overview", "interfaces", "connections", "dns", "talkers"])
    func aPageIsAsItWasInEightyByTwentyFour(_ page: String) async throws {
        try await useAgent { workspace, _ in
            let screen = try Screen(workspace)
            try await screen.wait(for: "live")
            let key =
                ["overview": "1", "interfaces": "2a", "connections": "3a", "dns": "6", "talkers": "5"][page] ?? ""
            screen.press(key)
            try await screen.wait(for: "\(page)]")
            if page != "talkers" { try await screen.wait(for: "SND-HIS011") }
            // The rate of what does not move is known to be 0 from the second reading on.
            if page == "interfaces" { try await screen.wait(for: "0  B/s") }
            try Golden.expect(Self.timeless(screen.text().text), equals: "top-\(page).txt")
            #expect(screen.text().strangers == [])
            #expect(try await screen.end() == .exited(0))
        }
    }

    @Test func keysChangeWhatIsShownAndTheTerminalIsAsItWas() async throws {
        try await useAgent { workspace, _ in
            let terminal: PseudoTerminal
            let before: termios
            let screen = try Screen(workspace)
            terminal = screen.terminal
            before = terminal.mode
            try await screen.wait(for: "live")
            screen.press("r")
            try await screen.wait(for: " 6h · line")
            screen.press("c")
            try await screen.wait(for: " 6h · area")
            screen.press("m")
            try await screen.wait(for: "transmit  6h")
            screen.press("2a/lo")
            try await screen.wait(for: "filter: lo_")
            screen.press("\r")
            try await screen.wait(for: "with 'lo'")
            screen.press("p")
            try await screen.wait(for: "paused")
            screen.press("p?")
            try await screen.wait(for: "line, area, bar")
            screen.press("?7")
            try await screen.wait(for: "SND-PRC001")
            screen.press("t")
            try await screen.wait(for: "gone tries again now")
            #expect(try await screen.end() == .exited(0))
            let after = terminal.mode
            #expect(after.c_lflag | tcflag_t(ICANON | ECHO) == before.c_lflag | tcflag_t(ICANON | ECHO))
            #expect(after.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGSEGV, SIGABRT])
    func theTerminalIsGivenBackAtEverySignal(_ signal: Int32) async throws {
        try await useAgent { workspace, _ in
            let screen = try Screen(workspace)
            try await screen.wait(for: "live")
            #expect(screen.text().isAlternate)
            #expect(screen.terminal.mode.c_lflag & tcflag_t(ECHO) == 0)
            screen.process.send(signal)
            let end = try await screen.process.waitForEnd()
            #expect(end == (signal == SIGINT ? .exited(0) : .signalled(signal)))
            #expect(!screen.text().isAlternate)
            #expect(screen.text().hasCursor)
            #expect(screen.terminal.mode.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON))
        }
    }

    @Test func aWindowThatChangesItsSizeIsFilledAnew() async throws {
        try await useAgent { workspace, _ in
            let screen = try Screen(workspace)
            try await screen.wait(for: "q quit")
            screen.terminal.resize(rows: 40, columns: 120)
            screen.process.send(SIGWINCH)
            try await screen.wait("the keys are in the last of 40 lines", rows: 40, columns: 120) {
                $0.lines[39].hasPrefix("q quit")
            }
            screen.terminal.resize(rows: 4, columns: 20)
            screen.process.send(SIGWINCH)
            try await screen.wait("the keys are in the last of 4 lines", rows: 4, columns: 20) {
                $0.lines[3].hasPrefix("q quit")
            }
            #expect(try await screen.end() == .exited(0))
        }
    }

    @Test func aStoppedTopGivesTheTerminalBackAndTakesItAgain() async throws {
        try await useAgent { workspace, _ in
            let screen = try Screen(workspace)
            try await screen.wait(for: "live")
            screen.process.send(SIGTSTP)
            try await screen.wait("the screen is given back") { !$0.isAlternate && $0.hasCursor }
            #expect(screen.terminal.mode.c_lflag & tcflag_t(ECHO) != 0)
            screen.process.send(SIGCONT)
            try await screen.wait("the screen is taken again") { $0.isAlternate && $0.text.contains("q quit") }
            #expect(try await screen.end() == .exited(0))
        }
    }

    @Test func anAgentThatIsGoneIsFoundAgain() async throws {
        try await useAgent { workspace, agent in
            let screen = try Screen(workspace)
            try await screen.wait(for: "live")
            #expect(try await agent.stop() == .exited(0))
            try await screen.wait(for: "no agent answers, asking again")
            try await screen.wait(for: "SND-CTL009")
            _ = try workspace.startAgent(Self.configuration(workspace, host: "probe-2"))
            try await screen.wait("the other agent") { text in
                text.text.contains("probe-2") && text.text.contains("live") && !text.text.contains("SND-CTL009")
            }
            #expect(try await screen.end() == .exited(0))
        }
    }

    @Test func anAgentThatIsStoppedIsNoticed() async throws {
        try await useAgent { workspace, agent in
            let screen = try Screen(workspace)
            try await screen.wait(for: "live")
            agent.process.send(SIGSTOP)
            try await screen.wait(for: "has not answered for 5s")
            agent.process.send(SIGCONT)
            try await screen.wait("it answers again") { !$0.text.contains("not answered") && $0.text.contains("live") }
            #expect(try await screen.end() == .exited(0))
        }
    }

    @Test func withoutColorThereIsNone() async throws {
        try await useAgent { workspace, _ in
            let plain = try Screen(workspace, environment: ["NO_COLOR": "1"])
            try await plain.wait(for: "live")
            #expect(plain.text().colorCount == 0)
            #expect(try await plain.end() == .exited(0))
            let colored = try Screen(workspace)
            try await colored.wait(for: "live")
            #expect(colored.text().colorCount > 0)
            #expect(try await colored.end() == .exited(0))
        }
    }

    @Test func elsewhereThanOnATerminalItIsOneFrame() async throws {
        try await useAgent { workspace, _ in
            let result = try await workspace.run([Checkout.sonde, "top", "--socket", workspace.path("sonde.sock")])
            #expect(result.end == .exited(0))
            #expect(result.errors == "")
            #expect(result.output.contains("probe-1"))
            #expect(result.output.contains("tcp connections"))
            #expect(result.output.contains("✗ gone  SND-PRC001"))
            #expect(!result.output.contains("\u{1b}"))
            let dumb = try Screen(workspace, environment: ["TERM": "dumb", "NO_COLOR": "1"])
            #expect(try await dumb.process.waitForEnd() == .exited(0))
            #expect(!dumb.terminal.screen.drain().contains("\u{1b}"))
            #expect(dumb.terminal.screen.text.contains("tcp connections"))
        }
    }

    @Test func withoutAnAgentOneFrameIsAFailureAndAScreenWaits() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.run([Checkout.sonde, "top", "--socket", workspace.path("sonde.sock")])
            #expect(result.end == .exited(75))
            #expect(result.errors.contains("SND-CTL009"))
            let screen = try Screen(workspace)
            try await screen.wait(for: "no agent answers, asking again")
            #expect(try await screen.end() == .exited(0))
        }
    }

    @Test(.enabled("python3 is not installed") { Python.path != nil })
    func whatAHostileAgentAnswersDoesNotSteerTheTerminal() async throws {
        try await Workspace.use { workspace in
            let program = try workspace.write("agent.py", Self.hostileAgent)
            let socket = workspace.path("sonde.sock")
            _ = try workspace.start([try #require(Python.path), program, socket], as: "hostile")
            try await eventually("it listens") { access(socket, F_OK) == 0 }
            let screen = try Screen(workspace)
            try await screen.wait(for: "live")
            for key in ["1", "2a", "3", "6", "7", "1t", "p"] {
                screen.press(key)
                try await screen.wait("the key is taken") { !$0.lines[23].isEmpty }
            }
            try await screen.wait(for: "paused")
            let shown = screen.text()
            #expect(shown.strangers == [])
            #expect(!screen.terminal.screen.text.contains("\u{202e}"))
            #expect(screen.terminal.screen.text.contains("owned"))
            #expect(try await screen.end() == .exited(0))
        }
    }

    /// Answers every request with names that would steer a terminal.
    private static let hostileAgent = #"""
        import json, os, socket, sys
        evil = "\x1b]0;owned\x07\x1b[2J\x1b[1;1H\u202e\u0000\x9b5n"
        flow = {"current": 1.0, "average": 1e308, "peak": -1e308}
        page = {"schema": "sonde.snapshot/1", "time": "2026-01-01T04:00:00.000Z", "host": evil, "window": evil,
                "bandwidth": {"source": evil, "uplinks": [evil], "receive": flow, "transmit": flow,
                              "interfaces": {evil: {"receive": flow, "transmit": flow}}},
                "connections": {"source": evil, "current": 1, "average": 1, "peak": 1,
                                "by_state": {evil: {evil: 3}}, "by_protocol": {"udp": 1}},
                "dns": {evil: {"queries": 1}, "wire": {"rate": flow, "queries": -1, "failures": 1e300,
                                                       "latency": {"p95": 1e300}}},
                "drops": {"source": evil, "reasons": [{"reason": evil, "count": -5}],
                          "beside": [{"counter": evil, "count": 1e300,
                                      "top": {"reason": evil, "count": 1, "meaning": evil, "advice": evil}}]},
                "failures": [{"code": evil, "plugin": evil, "since": "2026-01-01T03:00:00.000Z", "message": evil}]}
        broken = {"code": evil, "class": "configuration", "message": evil, "cause": [evil], "option": evil,
                  "place": evil, "since": "2026-01-01T03:00:00.000Z", "count": 18446744073709551615, "recovery": [evil]}
        status = {"time": "2026-01-01T04:00:00.000Z", "agent": {"version": evil},
                  "sources": [{"id": evil, "plugin": evil, "state": evil, "error": broken}],
                  "sinks": [{"id": evil * 50, "plugin": evil, "state": "held", "queue": {"points": 1}, "error": broken}],
                  "losses": [{"component": evil, "reason": evil, "count": 1}]}
        history = {"from": "0001-01-01T00:00:00.000Z", "to": "9999-01-01T00:00:00.000Z", "step_seconds": 1e300,
                   "items": [{"metric": "bandwidth.receive", "unit": evil, "source": evil, "step_seconds": -1e300,
                              "summary": {"last": 1e300},
                              "points": [{"time": "2026-01-01T03:00:00.000Z", "average": -1e308}] * 5000}]}
        answers = {"snapshot": {"number": 1, "document": page}, "status": status, "history": history}
        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1])
        server.listen()
        while True:
            peer, _ = server.accept()
            for line in peer.makefile("rb"):
                name = json.loads(line)["request"]
                answer = {"ok": True, name: answers[name]} if name in answers else {
                    "ok": False, "error": {"code": evil, "class": evil, "message": evil, "recovery": [evil]}}
                peer.sendall(json.dumps(answer).encode() + b"\n")
        """#

    @Test func aTerminalThatIsClosedEndsIt() async throws {
        try await useAgent { workspace, _ in
            let screen = try Screen(workspace)
            try await screen.wait(for: "live")
            close(screen.terminal.child)
            screen.terminal.screen.close()
            _ = try await screen.process.waitForEnd()
        }
    }

    @Test func aFileOfTheChartIsWrittenWhereItWasStarted() async throws {
        try await Workspace.use { workspace in
            let text = Self.configuration(workspace).replacing(
                "shutdown_grace", with: "state_dir: \(workspace.path("state")), shutdown_grace")
            let agent = try workspace.startAgent(text)
            try await agent.waitForTimes(4, in: "local")
            let folder = try workspace.makeFolder("exports")
            let terminal = try PseudoTerminal(rows: 24, columns: 80)
            let process = try workspace.start(
                [
                    "/bin/sh", "-c",
                    "cd \(folder) && exec \(Checkout.sonde) top --socket \(workspace.path("sonde.sock"))",
                ],
                environment: ["TERM": "xterm"],
                streams: ProcessGroup.Streams(input: terminal.child, output: terminal.child, errors: terminal.child))
            try await eventually("it is live") { ScreenText(terminal.screen.drain()).text.contains("live") }
            terminal.screen.write("7e")
            try await eventually("the file is written") {
                ScreenText(terminal.screen.drain()).text.contains("sonde-agent.memory-1h.csv is written")
            }
            #expect(workspace.read("exports/sonde-agent.memory-1h.csv").hasPrefix("time,step_seconds,metric,"))
            terminal.screen.write("q")
            #expect(try await process.waitForEnd() == .exited(0))
        }
    }
}
