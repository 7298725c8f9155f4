import Foundation
import Testing

/// Plugins that load, and whose instances do one thing wrong each: Fixtures/misbehaving.h has the list.
@Suite struct MisbehavingPluginTests {
    /// A line of the list.
    struct Case {
        let number: Int
        let group: String
        let deed: String
        /// What the line has that says it.
        let code: String
        let words: String

        var id: String { "c" + String(repeating: "0", count: 3 - "\(number)".count) + "\(number)" }

        func entry(_ plugin: String, interval: String = "60s") -> String {
            let keys = ", interval: \(interval), series_limit: 1000, labels: { case: \(id) }"
            let own = plugin == "misbehaving" ? keys : ""
            return "  - { id: \(id), plugin: \(plugin), isolation: in_process, case: \(number)\(own) }\n"
        }

        /// Whether a line says what is wrong.
        func isSaid(by line: Substring) -> Bool { line.contains(code) && (words.isEmpty || line.contains(words)) }
    }

    private static func cases() throws -> [Case] {
        let path = Checkout.path("Tests/EndToEndTests/Fixtures/misbehaving.h")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasSuffix("\")") }
        return lines.enumerated().map { number, line in
            let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
            let head = quoted[0].split(separator: "(", maxSplits: 1)
            return Case(
                number: number, group: String(head[0]), deed: String(head[1].dropLast(2)), code: String(quoted[1]),
                words: String(quoted[3]))
        }
    }

    private static func cases(_ groups: String...) throws -> [Case] {
        try cases().filter { groups.contains($0.group) }
    }

    private static func compile(_ workspace: Workspace) async throws -> String {
        let folder = try workspace.makeFolder("plugins")
        let result = try await workspace.run([
            "/usr/bin/cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-w", "-shared", "-fPIC", "-pthread", "-I",
            Checkout.path("Sources/CSondePlugin/include"), Checkout.path("Tests/EndToEndTests/Fixtures/misbehaving.c"),
            "-o", "\(folder)/misbehaving.so",
        ])
        try #require(result.end == .exited(0), "\(result.errors)")
        try FileManager.default.copyItem(
            atPath: "\(folder)/misbehaving.so", toPath: "\(folder)/misbehaving_sink.so")
        return folder
    }

    private static func configuration(_ workspace: Workspace, sources: String, sinks: String = "") -> String {
        """
        version: 1
        agent: { shutdown_grace: 2s }
        sources:
          - { id: kernel, plugin: procnet, level: all, tables: [dev], interval: 500ms }
        \(sources)sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }
        \(sinks)
        """
    }

    /// The lines that are about an instance and name an error, or say what it should be.
    private static func lines(_ instance: Case, in log: String) -> [Substring] {
        log.split(separator: "\n").filter { line in
            line.contains(" \(instance.id): ")
                && (line.contains("SND-PLG") || line.contains("SND-RUN002") || line.contains("ACME-")
                    || line.contains(instance.code))
        }
    }

    @Test func anInstanceThatMisbehavesHasOneLineAndHoldsUpNobody() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile(workspace)
            let (sources, hangs) = (try Self.cases("SOURCE", "FLOOD"), try Self.cases("HANG"))
            let sinks = try Self.cases("SINK")
            let all = sources + hangs + sinks
            #expect(all.count >= 150)
            let text = Self.configuration(
                workspace,
                sources: (sources.map { $0.entry("misbehaving") }
                    + hangs.map { $0.entry("misbehaving", interval: "100ms") }).joined(),
                sinks: sinks.map { $0.entry("misbehaving_sink") }.joined())
            let agent = try workspace.startAgent(text, pluginDirectories: [folder])
            try await agent.wait(until: "everything is said") {
                let log = agent.log
                return all.allSatisfy { instance in Self.lines(instance, in: log).contains { instance.isSaid(by: $0) } }
            }
            let times = PointLine.times(agent.lines(in: "local")).count
            try await agent.waitForTimes(times + 2, in: "local")
            // The call that hangs is left behind.
            #expect(try await agent.stop() == .exited(1))
            for instance in all {
                let lines = Self.lines(instance, in: agent.log)
                // What has no words of its own is a flood: as many lines as anybody may write.
                let bound = instance.words.isEmpty ? 128 : 1
                #expect(
                    lines.count <= bound && lines.allSatisfy { instance.isSaid(by: $0) },
                    "\(instance.deed): \(lines)")
            }
        }
    }

    @Test func anInstanceThatCannotBeMadeOrFreedHasOneLine() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile(workspace)
            let cases = try Self.cases("CHECK")
            // Two of them take ten seconds each.
            let children = try cases.map { instance in
                let file = try workspace.write(
                    "\(instance.id).yaml", Self.configuration(workspace, sources: instance.entry("misbehaving")))
                let command = [Checkout.sonde, "check", "-c", file, "--plugin-dir", folder]
                return try workspace.start(command + Workspace.pluginDirectory, as: instance.id)
            }
            for (instance, child) in zip(cases, children) {
                _ = try await child.waitForEnd()
                let errors = workspace.errors(of: instance.id)
                let lines = errors.split(separator: "\n").filter { $0.contains("SND-PLG") }
                #expect(lines.count == 1 && instance.isSaid(by: lines[0]), "\(instance.deed): \(errors)")
                #expect(lines.first?.contains(instance.id) == true, "\(instance.deed): \(lines)")
            }
        }
    }

    @Test func aCrashSaysInWhichInstanceItHappened() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.compile(workspace)
            for instance in try Self.cases("CHECK_CRASH", "CRASH") {
                let file = try workspace.write(
                    "\(instance.id).yaml", Self.configuration(workspace, sources: instance.entry("misbehaving")))
                let command = instance.group == "CRASH" ? "run" : "check"
                let result = try await workspace.sonde(command, "-c", file, "--plugin-dir", folder)
                let lines = result.errors.split(separator: "\n").filter { $0.hasPrefix("sonded: ") }
                #expect(lines.count == 1 && instance.isSaid(by: lines[0]), "\(instance.deed): \(result.errors)")
                #expect(result.end != .exited(0), "\(instance.deed)")
                guard instance.words.contains("inside") else { continue }
                #expect(lines.first?.contains("plugin misbehaving, instance \(instance.id)") == true, "\(lines)")
            }
        }
    }
}
