import Foundation
import Glibc
import Testing

/// What `sonde top` costs while it is open.
@Suite struct TopFigureTests {
    private static func useScreen(
        _ body: (Workspace, PseudoTerminal, ProcessGroup, Duration) async throws -> Void
    ) async throws {
        try await Workspace.use(.all) { workspace in
            let agent = try workspace.startAgent(
                """
                version: 1
                agent:
                  interval: 1s
                  state_dir: \(workspace.path("state"))
                  control_socket: \(workspace.path("sonde.sock"))
                sources: [{ id: kernel, plugin: procnet, level: all }]
                sinks: [{ id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }]

                """)
            try await agent.waitForTimes(2, in: "local")
            let terminal = try PseudoTerminal(rows: 24, columns: 80)
            let begin = ContinuousClock.now
            let process = try workspace.start(
                [Checkout.sonde, "top", "--socket", workspace.path("sonde.sock")], environment: ["TERM": "xterm"],
                streams: ProcessGroup.Streams(input: terminal.child, output: terminal.child, errors: terminal.child))
            while !terminal.screen.drain().contains("live") {
                try #require(begin.duration(to: .now) < .seconds(20))
                usleep(1_000)
            }
            try await body(workspace, terminal, process, begin.duration(to: .now))
            terminal.screen.write("q")
            #expect(try await process.waitForEnd() == .exited(0))
        }
    }

    /// The time of a processor that a process has taken, in milliseconds.
    private static func milliseconds(_ process: ProcessGroup) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.processID)/stat", encoding: .utf8)
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        // proc(5): fields 14 and 15, in ticks; the name, in which anything may stand, is the second.
        let ticks = try #require(Int(fields[11])) + (try #require(Int(fields[12])))
        return ticks * 1_000 / sysconf(Int32(_SC_CLK_TCK))
    }

    @Test func aSecondCostsLittleAndTheFirstFrameComesSoon() async throws {
        try await Self.useScreen { _, terminal, process, first in
            #expect(first < .milliseconds(150))
            let begin = try Self.milliseconds(process)
            let end = ContinuousClock.now + .seconds(10)
            // The terminal is read, or its buffer would hold the program up.
            while ContinuousClock.now < end {
                terminal.screen.drain()
                try await Task.sleep(for: .milliseconds(50))
            }
            let used = try Self.milliseconds(process) - begin
            #expect(used < 500, "\(used) ms in 10 s")
            #expect(used > 0)
        }
    }

    @Test func aThousandOpeningsTakeNoMoreMemory() async throws {
        try await Self.useScreen { _, terminal, process, _ in
            func memory() throws -> Int {
                let text = try #require(ProcessStatus(process.processID)?["RssAnon"])
                return try #require(Int(text.split(separator: " ")[0]))
            }
            /// Opens each page, with another range and a row.
            func open(_ count: Int) async throws {
                for round in 0..<count {
                    terminal.screen.write("\(round % 7 + 1)rj")
                    if round % 10 == 9 {
                        terminal.screen.write("/\(round)\u{1b}")
                        try await terminal.screen.read(until: "the keys are taken") { _ in true }
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                terminal.screen.write("/\(count) openings")
                try await eventually("all keys are taken") {
                    ScreenText(terminal.screen.drain()).text.contains("\(count) openings_")
                }
                terminal.screen.write("\u{1b}")
            }
            try await open(100)
            let first = try memory()
            try await open(1_000)
            let second = try memory()
            #expect(second - first < 1_024, "\(first) kB, then \(second) kB")
        }
    }
}
