import Foundation
import Glibc
import Testing

/// The live table on a terminal.
@Suite struct TerminalTests {
    @Test func theTableIsRedrawnInPlaceWithTheInterfacesOfThisHost() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "sonde.yaml",
                """
                version: 1
                agent: { interval: 100ms, log: { level: error } }
                sources: [{ id: kernel, plugin: procnet, level: all }]
                sinks: [{ id: console, plugin: stdout, format: table }]

                """
            )
            let interfaces = try Self.interfaces()
            let terminal = try PseudoTerminal(rows: 200, columns: 120)
            let errors = open(workspace.path("agent.err"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            let process = try workspace.start(
                [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory,
                environment: ["TERM": "xterm"],
                streams: ProcessGroup.Streams(input: terminal.child, output: terminal.child, errors: errors)
            )
            close(errors)
            close(terminal.child)
            // To the top, the lines each cleared to their end, the rest of the screen cleared.
            let home = "\u{1b}[H"
            try await terminal.screen.read(until: "three tables") { $0.components(separatedBy: home).count > 4 }
            process.send(SIGTERM)
            try await eventually("the terminal is closed") {
                terminal.screen.drain().isEmpty || terminal.screen.isAtEnd
            }
            #expect(try await process.waitForEnd() == .exited(0))
            #expect(workspace.errors(of: "agent") == "")
            let tables = terminal.screen.text.components(separatedBy: home).dropFirst()
            #expect(tables.allSatisfy { $0.contains("\u{1b}[K") && $0.contains("\u{1b}[J") })
            let table = try #require(tables.dropLast().last)
            // Others may have come or gone meanwhile.
            for interface in try Self.interfaces() where interfaces.contains(interface) {
                #expect(table.contains("\(interface) "), "\(interface)")
            }
        }
    }

    @Test func theKeyQEndsTheAgentAndWhatItLoggedStandsBelowTheLastTable() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "sonde.yaml",
                """
                version: 1
                agent: { interval: 100ms }
                sources:
                  - { id: kernel, plugin: procnet, level: all }
                  - { id: blue, plugin: procnet, level: all, netns: "name:none-of-this-name" }
                sinks: [{ id: console, plugin: stdout, format: table, color: never }]

                """
            )
            let terminal = try PseudoTerminal(rows: 24, columns: 80)
            var before = termios()
            #expect(tcgetattr(terminal.child, &before) == 0)
            let process = try workspace.start(
                [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory,
                environment: ["TERM": "xterm"],
                streams: ProcessGroup.Streams(input: terminal.child, output: terminal.child, errors: terminal.child)
            )
            let home = "\u{1b}[H"
            try await terminal.screen.read(until: "a table with a failure") {
                ($0.components(separatedBy: home).last ?? "").contains("✗ blue  SND-PRC008  since ")
            }
            terminal.screen.write("xq")
            #expect(try await process.waitForEnd() == .exited(0))
            var after = termios()
            #expect(tcgetattr(terminal.child, &after) == 0)
            #expect(after.c_lflag == before.c_lflag)
            close(terminal.child)
            let screen = terminal.screen.drain()
            let parts = screen.components(separatedBy: home)
            #expect(parts.dropFirst().dropLast().allSatisfy { !$0.contains("error[") })
            let end = try #require(parts.last?.components(separatedBy: "\u{1b}[J").last)
            #expect(end.contains(#/[0-9]Z error\[SND-PRC008\] blue: /#))
            #expect(end.contains("info stopping: "))
        }
    }

    /// The names in /proc/net/dev, below its two lines of headings.
    private static func interfaces() throws -> [Substring] {
        try String(contentsOfFile: "/proc/net/dev", encoding: .utf8).split(separator: "\n").dropFirst(2).map { line in
            line.drop { $0 == " " }.prefix { $0 != ":" }
        }
    }
}
