import Foundation
import Testing

/// Plugins made with the Swift kit as it was when the contract was frozen (Fixtures/OlderKit), in the agent of today.
@Suite struct OlderKitTests {
    private static let fixtures = Checkout.path("Tests/EndToEndTests/Fixtures/OlderKit")

    @Test(.enabled(if: Toolchain.compiler != nil, "the compiler is not installed beside the runtime"))
    func aSourceAndASinkOfTheOlderKitDoAllThatTheyDid() async throws {
        try await Workspace.use { workspace in
            let folder = try await Self.build(in: workspace)
            for isolation in ["in_process", "process"] {
                try FileManager.default.createDirectory(
                    atPath: workspace.path(isolation), withIntermediateDirectories: true)
                try await Self.run(isolation, folder, workspace)
            }
        }
    }

    private static func run(_ isolation: String, _ folder: String, _ workspace: Workspace) async throws {
        let agent = try workspace.startAgent(
            """
            version: 1
            agent: { interval: 200ms, shutdown_grace: 2s, state_dir: \(workspace.path("\(isolation)/state")) }
            sources:
              - { id: old, plugin: older_source, isolation: \(isolation), words: [a, b], word: given, labels: { site: fra1 } }
            sinks:
              - { id: given, plugin: older_sink, isolation: \(isolation), batch: { wait: 20ms } }
              - { id: local, plugin: file, path: \(workspace.path("\(isolation)/local")), batch: { wait: 20ms } }

            """, pluginDirectories: [folder])
        try await agent.waitForTimes(5, in: "\(isolation)/local")
        try await agent.waitForLog("given: the receiver took out 1 point: one too many")
        #expect(try await agent.stop() == .exited(0))
        for line in [
            "info old: made with given a+b 3000000000", "info old: ticks: true", "info old: went on from \n",
            "error[ACME-O001] old: half of it failed", "info old: committed: taken, trouble: true",
            "warning old: lost 7 (dropped)", "info given: old older.count {part=a} By",
            "info given: old older.spread {} s",
        ] {
            #expect(agent.log.contains(line), "\(isolation): \(line)")
        }
        // What the older sink rejects, and nothing else.
        let others = agent.log.split(separator: "\n").filter {
            $0.contains("SND-PLG") && !$0.contains("SND-PLG025")
        }
        #expect(others.isEmpty, "\(others)")
        let lines = agent.lines(in: "\(isolation)/local")
        #expect(
            lines.contains {
                $0.contains(#""name":"older.spread","kind":"histogram","unit":"s","count":12,"sum":20.5"#)
                    && $0.contains(#""bounds":[1.0,2.0],"counts":[3,4,5]"#) && $0.contains(#""site":"fra1""#)
            })
        // Ticks between collections count too.
        let values = lines.compactMap { line in
            line.firstMatch(of: /"name":"older.count","kind":"counter","unit":"By","value":(\d+)/).flatMap {
                Int($0.1)
            }
        }
        #expect(try #require(values.max()) > values.count, "\(values)")
    }

    /// Builds both plugins and returns their folder.
    private static func build(in workspace: Workspace) async throws -> String {
        try await run(workspace, ["/bin/tar", "xzf", "\(fixtures)/kit-1.1.tar.gz", "-C", workspace.path(".")])
        let sources = workspace.path("Sources")
        try useThisCompiler(sources)
        try "module CSondePlugin { header \"sonde_plugin.h\" export * }\n".write(
            toFile: "\(sources)/CSondePlugin/include/module.modulemap", atomically: true, encoding: .utf8)
        let folder = try workspace.makeFolder("plugins")
        let compiler = [
            try #require(Toolchain.compiler), "-swift-version", "6", "-enable-upcoming-feature",
            "InternalImportsByDefault",
            "-wmo", "-parse-as-library", "-Xfrontend", "-disable-implicit-string-processing-module-import", "-I",
            "\(sources)/CSondePlugin/include", "-I", workspace.path("."), "-emit-library",
        ]
        for module in ["SondeDomain", "SondePluginKit"] {
            let files = try FileManager.default.subpathsOfDirectory(atPath: "\(sources)/\(module)")
                .filter { $0.hasSuffix(".swift") }.map { "\(sources)/\(module)/\($0)" }
            try await run(
                workspace,
                compiler + ["-static", "-emit-module", "-emit-module-path", workspace.path("\(module).swiftmodule")]
                    + ["-module-name", module, "-o", workspace.path("lib\(module).a")] + files)
        }
        let libraries = ["--whole-archive", workspace.path("libSondePluginKit.a"), workspace.path("libSondeDomain.a")]
        try await run(
            workspace,
            compiler + ["-module-name", "Older", "-o", "\(folder)/older_source.so", "\(fixtures)/older.swift"]
                + (libraries + ["--no-whole-archive"]).flatMap { ["-Xlinker", $0] })
        try FileManager.default.copyItem(atPath: "\(folder)/older_source.so", toPath: "\(folder)/older_sink.so")
        return folder
    }

    /// The version record names the compiler, so it is today's; that it says 1.1 is the kit's.
    private static func useThisCompiler(_ sources: String) throws {
        let record = "SondePluginKit/Internals/ABIRecord.swift"
        let today = try String(contentsOfFile: Checkout.path("Sources/\(record)"), encoding: .utf8)
        try today.replacing(/64, 1, \d+, 0/, with: "64, 1, 1, 0").write(
            toFile: "\(sources)/\(record)", atomically: true, encoding: .utf8)
    }

    private static func run(_ workspace: Workspace, _ command: [String]) async throws {
        // A compiler, beside other tests.
        let result = try await workspace.run(command, within: .seconds(300))
        try #require(result.end == .exited(0), "\(result.errors)")
    }
}
