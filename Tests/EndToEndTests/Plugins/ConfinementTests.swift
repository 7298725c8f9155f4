import Glibc
import Testing

/// Sources that give up everything that they have not opened at their start.
@Suite struct ConfinementTests {
    private static let attempts = [
        "open", "stat", "remove", "socket", "capture", "exec", "fork", "trace", "signal", "code", "undumpable",
    ]

    private static func configuration(_ workspace: Workspace, _ attempts: [String], _ keys: String = "") -> String {
        let sources = attempts.map { "  - { id: \($0), plugin: confined, attempt: \($0)\(keys) }" }
        return """
            version: 1
            agent: { interval: 100ms, shutdown_grace: 2s, control_socket: \(workspace.path("sonde.sock")) }
            sources:
            \(sources.joined(separator: "\n"))
            sinks: [{ id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }]

            """
    }

    @Test func whatIsRefusedEndsTheProcessAndIsNamed() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("confined", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, Self.attempts), pluginDirectories: [folder])
            for attempt in Self.attempts {
                try await agent.wait(until: "the end of '\(attempt)'") {
                    agent.log.split(separator: "\n").contains {
                        $0.contains("error[SND-PLG027] \(attempt): ") && $0.contains("was ended by its sandbox")
                    }
                }
                #expect(agent.log.contains("\(attempt): standard error: sonded: was refused system call "))
            }
            // The supervisor, for instance, which one of them wanted to end.
            #expect(try await agent.stop() == .exited(0))
            #expect(agent.lines(in: "local").allSatisfy { !$0.contains("acme.process") })
        }
    }

    @Test func whatIsOpenIsWorkedOnWithoutAnyPrivilege() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("confined", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, ["nothing"]), pluginDirectories: [folder])
            try await agent.wait(until: "samples") { agent.lines(in: "local").contains { $0.contains("acme.process") } }
            let line = try #require(agent.lines(in: "local").first { $0.contains("acme.process") })
            let process = try #require(try PointLine(line).value)
            let status = try #require(ProcessStatus(pid_t(process)))
            for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] { #expect(status.capabilities(set) == 0, "\(set)") }
            #expect(status["NoNewPrivs"] == "1" && status["Seccomp"] == "2")
            let shown = try await workspace.run(
                [Checkout.sonde, "status", "--format", "json", "--socket", workspace.path("sonde.sock")])
            #expect(shown.output.contains("\"sandbox\":\"on\""))
            #expect(try await agent.stop() == .exited(0))
            #expect(!agent.log.contains("error["), "\(agent.log)")
        }
    }

    /// The C library opens a file before it lets the heap of a second thread shrink.
    @Test func aThreadFillsItsHeapAndFreesIt() async throws {
        try await Workspace.use { workspace in
            let program = workspace.path("confined-threads")
            let compiled = try await workspace.run([
                "/usr/bin/cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread", "-I",
                Checkout.path("Sources/CLinux/include"), Checkout.path("Sources/CLinux/confine.c"),
                Checkout.path("Tests/EndToEndTests/Fixtures/confined_threads.c"), "-o", program,
            ])
            try #require(compiled.end == .exited(0), "\(compiled.errors)")
            #expect(try await workspace.run([program]).end == .exited(0))
        }
    }

    @Test func whatIsNotConfinedWhereThatIsWrittenMayOpenAndIsShown() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("confined", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, ["open"], ", sandbox: off"), pluginDirectories: [folder])
            try await agent.wait(until: "samples") { agent.lines(in: "local").contains { $0.contains("acme.process") } }
            let shown = try await workspace.run([Checkout.sonde, "status", "--socket", workspace.path("sonde.sock")])
            #expect(shown.output.contains("confined, sandbox off"), "\(shown.output)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    /// A thread that was there before would not be confined.
    @Test func aProcessWithAThreadOfItsOwnIsNotRun() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("confined", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, ["early-thread"]), pluginDirectories: [folder])
            try await agent.waitForLog(
                "error[SND-PLG041] early-thread: its process cannot be confined: it has made threads")
            #expect(try await agent.stop() == .exited(0))
            #expect(agent.lines(in: "local").allSatisfy { !$0.contains("acme.process") })
        }
    }

    /// What cannot be kept is refused before anything runs.
    @Test(arguments: [
        ("confined, isolation: in_process", "sonde.yaml:4:"), ("procnet, sandbox: on", "sonde.yaml:4:"),
    ])
    func whatCannotBeConfinedIsRefused(_ source: String, _ place: String) async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("confined", in: workspace)
            let file = try workspace.write(
                "sonde.yaml",
                """
                version: 1
                agent: { interval: 1s }
                sources:
                  - { id: one, plugin: \(source) }
                sinks: [{ id: local, plugin: file, path: \(workspace.path("local")) }]

                """)
            let result = try await workspace.sonde("check", "-c", file, "--plugin-dir", folder)
            #expect(result.end == .exited(78))
            let line = result.errors.split(separator: "\n").first { $0.contains("error[SND-PLG040]") }
            #expect(line?.contains(place) == true, "\(result.errors)")
        }
    }
}
