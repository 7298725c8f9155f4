import Glibc
import Testing

/// Programs as sources and sinks of a whole agent.
@Suite struct ExecTests {
    /// A sink that keeps every line and acknowledges each batch, and keeps the number of its process.
    private static func archive(_ workspace: Workspace) -> String {
        #"""
        #!/bin/sh
        echo $$ >> \#(workspace.path("sinks"))
        while read -r header; do
            lines=${header##*:}
            lines=${lines%\}}
            while [ "$lines" -gt 0 ]; do
                read -r line
                echo "$line" >> \#(workspace.path("local"))
                lines=$((lines - 1))
            done
            echo ok
        done

        """#
    }

    private static func configuration(_ workspace: Workspace) throws -> String {
        let program = try workspace.write("archive", archive(workspace))
        chmod(program, 0o755)
        return #"""
            version: 1
            agent: { interval: 100ms, shutdown_grace: 5s }
            sources:
              - { id: kernel, plugin: procnet, level: all, tables: [dev] }
              - id: once
                plugin: exec
                shell: true
                command: ['echo "{\"name\":\"acme.once\",\"value\":$$}"']
              - id: kept
                plugin: exec
                shell: true
                mode: stream
                command: ['while :; do echo "{\"name\":\"acme.kept\",\"value\":$$}"; sleep 0.1; done']
            sinks:
              - { id: out, plugin: exec, command: [\#(program)], batch: { wait: 20ms }, retry: { base: 20ms } }

            """#
    }

    private static func values(_ agent: Agent, of metric: String) throws -> [pid_t] {
        try agent.lines(in: "local").filter { $0.contains("\"\(metric)\"") }.compactMap {
            try PointLine($0).value.map { pid_t($0) }
        }
    }

    @Test func programsAreReadAndGetBatches() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(try Self.configuration(workspace))
            try await agent.wait(until: "points of all three") {
                try Self.values(agent, of: "acme.once").count >= 3 && Self.values(agent, of: "acme.kept").count >= 3
                    && agent.lines(in: "local").contains { $0.contains("system.network.io") }
            }
            #expect(Set(try Self.values(agent, of: "acme.once")).count >= 3)
            #expect(Set(try Self.values(agent, of: "acme.kept")).count == 1)
            #expect(try await agent.stop() == .exited(0))
            for process in Set(try Self.values(agent, of: "acme.kept")) { #expect(kill(process, 0) != 0) }
        }
    }

    @Test func aKilledSinkIsReplacedAndGetsTheBatchAgain() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(try Self.configuration(workspace))
            try await agent.wait(until: "a point") { try !Self.values(agent, of: "acme.once").isEmpty }
            let first = try #require(agent.lines(in: "sinks").first.flatMap { pid_t($0) })
            #expect(kill(first, SIGKILL) == 0)
            try await agent.wait(until: "another sink") { agent.lines(in: "sinks").count >= 2 }
            let count = try Self.values(agent, of: "acme.once").count
            try await agent.wait(until: "more points") { try Self.values(agent, of: "acme.once").count > count + 2 }
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func nothingOutlivesAKilledAgent() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(try Self.configuration(workspace))
            try await agent.wait(until: "a point") { try !Self.values(agent, of: "acme.kept").isEmpty }
            let processes = Set(try Self.values(agent, of: "acme.kept"))
                .union(agent.lines(in: "sinks").compactMap { pid_t($0) })
            agent.process.send(SIGKILL)
            _ = try await agent.process.waitForEnd()
            try await eventually("the end of \(processes)") { processes.allSatisfy { kill($0, 0) != 0 } }
        }
    }
}
