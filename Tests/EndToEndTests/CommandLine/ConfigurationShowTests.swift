import Testing

/// `config show` prints a configuration that means the same when it is read again.
@Suite struct ConfigurationShowTests {
    @Test func whatIsShownCanBeReadAgainAndIsTheSame() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "sonde.yaml",
                """
                version: 1
                agent: { interval: 5s, labels: { site: "fra 1", "a: b": "#c" }, log: { level: debug } }
                sources:
                  - { id: kernel, plugin: procnet, tables: [dev, snmp], labels: { role: edge } }
                sinks:
                  - id: local
                    plugin: file
                    path: \(workspace.path("metrics"))
                    batch: { samples: 7, bytes: 2KiB, wait: 90s }
                    metrics: { include: ["system.*"], exclude: ["*.errors"] }
                  - { id: central, plugin: http, url: "http://127.0.0.1:1/", headers: { X-Scope: "a: b" } }

                """
            )
            let first = try await workspace.sonde("config", "show", "-c", file)
            #expect(first.end == .exited(0), "\(first.errors)")
            let shown = try workspace.write("shown.yaml", first.output)
            let second = try await workspace.sonde("config", "show", "-c", shown)
            #expect(second.end == .exited(0), "\(second.errors)")
            #expect(second.errors == "")
            #expect(Self.settings(second.output) == Self.settings(first.output))
            #expect(try await workspace.sonde("check", "-c", shown).end == .exited(0))
        }
    }

    @Test func theBuiltInConfigurationIsShownWithoutAFile() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("config", "show")
            #expect(result.end == .exited(0))
            #expect(result.errors == "")
            let shown = try workspace.write("shown.yaml", result.output)
            #expect(try await workspace.sonde("check", "-c", shown).end == .exited(0))
        }
    }

    /// The lines without the remarks on where a value comes from.
    private static func settings(_ text: String) -> [Substring] {
        text.split(separator: "\n").map { line in
            for remark in ["  # default", "  # from agent"] where line.hasSuffix(remark) {
                return line.dropLast(remark.count)
            }
            return line
        }
    }
}
