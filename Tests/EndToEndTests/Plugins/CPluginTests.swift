import Testing

/// Plugins in C, made with the system's compiler and loaded by the real daemon.
@Suite struct CPluginTests {
    private static func configuration(_ workspace: Workspace, _ source: String) -> String {
        """
        version: 1
        agent: { interval: 100ms, shutdown_grace: 2s }
        sources:
          - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }
          - \(source)
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    /// Compiles a fixture to `plugins/<name>.so` and returns the folder.
    static func compile(_ name: String, in workspace: Workspace) async throws -> String {
        let folder = try workspace.makeFolder("plugins")
        let source = Checkout.path("Tests/EndToEndTests/Fixtures/\(name).c")
        let compiler = [
            "/usr/bin/cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I",
            Checkout.path("Sources/CSondePlugin/include"), source, "-o", "\(folder)/\(name).so",
        ]
        let result = try await workspace.run(compiler)
        try #require(result.end == .exited(0), "\(result.errors)")
        return folder
    }

    @Test func anObjectThatCrashesWhoeverLinksItIsRefusedByName() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("crashing", in: workspace)
            _ = try await Self.compile("tally", in: workspace)
            let result = try await workspace.sonde("plugins", "list", "--plugin-dir", folder)
            #expect(result.end == .exited(0))
            let lines = result.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("crashing ") && $0.contains("SND-PLG023") })
            #expect(lines.contains { $0.hasPrefix("tally ") && $0.contains("source") })
        }
    }

    @Test func aReloadLinksANewPluginAndRefusesOneThatCrashes() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("tally", in: workspace)
            _ = try await Self.compile("crashing", in: workspace)
            let socket = workspace.path("control.sock")
            func text(_ source: String) -> String {
                Self.configuration(workspace, source).replacing("100ms,", with: "100ms, control_socket: \(socket),")
            }
            let agent = try workspace.startAgent(
                text("{ id: other, plugin: procnet, level: all, tables: [dev] }"), pluginDirectories: [folder])
            try await agent.waitForLines(in: "local")
            try workspace.write("sonde.yaml", text("{ id: mine, plugin: crashing }"))
            let refused = try await workspace.run([Checkout.sonde, "reload", "--socket", socket])
            #expect(refused.end == .exited(78))
            #expect(refused.errors.contains("SND-RUN007") && refused.errors.contains("crashing"), "\(refused.errors)")
            try workspace.write("sonde.yaml", text("{ id: mine, plugin: tally }"))
            let taken = try await workspace.run([Checkout.sonde, "reload", "--socket", socket])
            #expect(taken.output == "added mine; removed other; 2 as they were\n")
            try await agent.wait(until: "the new plugin is read") { workspace.read("local").contains("acme.tally") }
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func anInstanceIsMadeOnceForAStartAndOnceForAReload() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("tally", in: workspace)
            let socket = workspace.path("control.sock")
            let text = Self.configuration(workspace, "{ id: mine, plugin: tally }")
                .replacing("100ms,", with: "100ms, control_socket: \(socket),")
            let agent = try workspace.startAgent(text, pluginDirectories: [folder])
            try await agent.wait(until: "the plugin is read") { workspace.read("local").contains("acme.tally") }
            func made() -> Int { agent.log.ranges(of: "an instance was made").count }
            #expect(made() == 1)
            try workspace.write("sonde.yaml", text.replacing("wait: 20ms", with: "wait: 30ms"))
            let result = try await workspace.run([Checkout.sonde, "reload", "--socket", socket])
            #expect(result.output == "changed local; 2 as they were\n")
            #expect(made() == 1, "its plugin is not asked about what runs already")
            try workspace.write("sonde.yaml", text.replacing("tally }", with: "tally, interval: 200ms }"))
            let other = try await workspace.run([Checkout.sonde, "reload", "--socket", socket])
            #expect(other.output == "changed mine, local; 1 as they were\n")
            #expect(made() == 2)
            try await agent.wait(until: "the other instance is read") {
                workspace.read("local").ranges(of: "acme.tally").count > 3
            }
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func aPluginThatHangsHoldsUpNoReload() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("troubled", in: workspace)
            let socket = workspace.path("control.sock")
            func text(_ source: String) -> String {
                Self.configuration(workspace, source).replacing("100ms,", with: "100ms, control_socket: \(socket),")
            }
            let agent = try workspace.startAgent(
                text("{ id: bad, plugin: troubled, isolation: in_process, mode: hangs }"), pluginDirectories: [folder])
            try await agent.waitForTimes(3, in: "local")
            try workspace.write("sonde.yaml", text("{ id: bad, plugin: troubled, isolation: in_process, mode: fails }"))
            let result = try await workspace.run(
                [Checkout.sonde, "reload", "--socket", socket, "--format", "json"])
            #expect(result.end == .exited(0))
            #expect(result.output.contains(#""changed":["bad"]"#) && result.output.contains(#""waiting":["bad"]"#))
            try await agent.waitForLog("a call into this plugin hangs: what was reloaded begins when it returns")
            // What comes later is not held up by it either, and takes no grace time for it.
            let began = ContinuousClock.now
            try workspace.write("sonde.yaml", text("{ id: good, plugin: procnet, level: all, tables: [dev] }"))
            let later = try await workspace.run([Checkout.sonde, "reload", "--socket", socket])
            #expect(later.output == "added good; removed bad; 2 as they were\n")
            #expect(ContinuousClock.now - began < .seconds(3))
            let seen = PointLine.times(agent.lines(in: "local")).count
            try await agent.waitForTimes(seen + 10, in: "local")
            #expect(try await agent.stop() == .exited(1))
        }
    }

    @Test func aPluginThatHangsDoesNotHoldUpWhatIsCollectedOnce() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("troubled", in: workspace)
            let text = Self.configuration(
                workspace, "{ id: bad, plugin: troubled, isolation: in_process, mode: hangs }")
            let file = try workspace.write("sonde.yaml", text)
            let began = ContinuousClock.now
            let result = try await workspace.sonde("once", "-c", file, "--format", "json", "--plugin-dir", folder)
            #expect(ContinuousClock.now - began < .seconds(30))
            #expect(result.end == .exited(1))
            #expect(result.errors.contains("error[SND-RUN002] bad: "), "\(result.errors)")
            #expect(result.output.contains(#""name":"system.network.io""#))
        }
    }

    @Test func onceFailsWhereASourceFailsAndPrintsTheOthers() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("troubled", in: workspace)
            let file = try workspace.write(
                "sonde.yaml", Self.configuration(workspace, "{ id: bad, plugin: troubled, mode: fails }"))
            let result = try await workspace.sonde("once", "-c", file, "--format", "json", "--plugin-dir", folder)
            #expect(result.end == .exited(1))
            #expect(result.errors.contains("error[ACME-T001] bad: "), "\(result.errors)")
            #expect(result.output.contains(#""name":"system.network.io""#))
        }
    }

    @Test func samplesOfAPluginInCReachTheSink() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("tally", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, "{ id: mine, plugin: tally, labels: { by: hand } }"),
                pluginDirectories: [folder]
            )
            try await agent.waitForTimes(8, in: "local")
            #expect(try await agent.stop() == .exited(0))
            let points = try PointLine.all(workspace.read("local")).filter { $0.name == "acme.tally" }
            #expect(points.compactMap(\.value) == (1...points.count).map(Double.init))
            #expect(points.count >= 4)
            #expect(points.allSatisfy { $0.kind == "counter" && $0.labels == ["by": "hand"] })
        }
    }

    @Test func aCrashNamesThePluginAndTheInstance() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("troubled", in: workspace)
            try workspace.write(
                "sonde.yaml",
                """
                version: 1
                sources: [ { id: bad, plugin: troubled, isolation: in_process, mode: crashes } ]
                sinks: [ { id: console, plugin: stdout, format: json } ]

                """)
            let result = try await workspace.sonde(
                "run", "-c", workspace.path("sonde.yaml"), "--plugin-dir", folder)
            #expect(result.end == .signalled(11))
            #expect(result.errors.contains("sonded: crashed by signal 11 inside plugin troubled, instance bad\n"))
            #expect(result.errors.contains("a line of the plugin's own\n"))
            #expect(result.output.isEmpty)
        }
    }

    @Test(arguments: [
        ("fails", "error[ACME-T001] bad: the device is on fire", ProcessGroup.End.exited(0)),
        ("overruns", "warning[SND-RUN001] bad: ", .exited(0)),
        // The thread that hangs is left behind: the process ends without it, and says so by its exit code.
        ("hangs", "error[SND-RUN002] bad: ", .exited(1)),
    ])
    func aPluginInTroubleIsReportedAndDisturbsNobody(_ mode: String, _ line: String, _ end: ProcessGroup.End)
        async throws
    {
        try await Workspace.use { workspace in
            let folder = try await Self.compile("troubled", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, "{ id: bad, plugin: troubled, isolation: in_process, mode: \(mode) }"),
                pluginDirectories: [folder]
            )
            try await agent.waitForLog(line)
            let seen = PointLine.times(agent.lines(in: "local")).count
            try await agent.waitForTimes(seen + 10, in: "local")
            let began = ContinuousClock.now
            #expect(try await agent.stop() == end)
            #expect(ContinuousClock.now - began <= .seconds(4))
            let gaps = try PointLine.gaps(agent.lines(in: "local"))
            // Shorter ones follow a late one, until collections are on time again.
            #expect((50...150).contains(gaps[gaps.count / 2]), "\(gaps)")
        }
    }
}
