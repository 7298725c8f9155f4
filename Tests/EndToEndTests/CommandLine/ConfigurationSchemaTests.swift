import Foundation
import Testing

/// `config schema` against shipped and broken configurations, by a validator of its own.
@Suite(.enabled(if: LineValidator.isInstalledForYAML, "apt-get install python3-jsonschema python3-yaml"))
struct ConfigurationSchemaTests {
    private static let shipped = try? FileManager.default.contentsOfDirectory(
        atPath: Checkout.path("config/examples")
    ).sorted().map { "config/examples/\($0)" }

    /// What the validator says of each text, by the schema that the command prints.
    private func verdicts(_ texts: [String], _ workspace: Workspace, fragment: Bool = false) async throws -> [String] {
        let printed =
            fragment
            ? try await workspace.sonde("config", "schema", "--fragment")
            : try await workspace.sonde("config", "schema")
        try #require(printed.end == .exited(0), "\(printed.errors)")
        #expect(printed.errors == "")
        let schema = try workspace.write("schema.json", printed.output)
        let files = try texts.enumerated().map { try workspace.write("\($0).yaml", $1) }
        let result = try await workspace.run(
            ["/usr/bin/python3", Checkout.path("Tests/EndToEndTests/Fixtures/validate_yaml.py"), schema] + files)
        try #require(result.end == .exited(0), "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func everyShippedConfigurationIsValid() async throws {
        let names = try #require(Self.shipped) + ["config/sonde.yaml", "packaging/sonde.yaml"]
        try await Workspace.use { workspace in
            var texts = try names.map(Checkout.text)
            texts.append(Self.everySetting(try Checkout.text("config/sonde.yaml")))
            let verdicts = try await verdicts(texts, workspace)
            #expect(verdicts.count == texts.count)
            for (name, verdict) in zip(names + ["every setting"], verdicts) { #expect(verdict == "valid", "\(name)") }
        }
    }

    /// The reference with every setting that is commented out switched on.
    private static func everySetting(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = line.prefix { $0 == " " }
            let rest = line.dropFirst(indent.count)
            guard rest.first == "#", let next = rest.dropFirst().first, next != " " else { return String(line) }
            return String(indent + rest.dropFirst())
        }.joined(separator: "\n")
    }

    private static func whole(_ agent: String, _ source: String = "", _ sink: String = "") -> String {
        """
        version: 1
        agent: { \(agent) }
        sources: [{ id: kernel, plugin: procnet\(source) }]
        sinks: [{ id: disk, plugin: file, path: /tmp/x\(sink) }]

        """
    }

    private static let right = [
        whole("interval: 1m30s, labels: { a: b, c: 5 }, log: { level: debug }, spool: { max_bytes: 64MiB }"),
        whole("interval: \"${env:INTERVAL}\", spool: { max_bytes: 1048576, overflow: \"${env:WHAT:-drop_oldest}\" }"),
        whole("", ", enabled: \"${env:ON}\", isolation: process, limits: { memory: 64mib, cpu_share: 1 }"),
        whole("", ", enabled: true, interval: 1s, level: all, sandbox: off"),
        whole("", ", when: { host: \"db-*\" }", ", when: { host: [\"db-*\", b] }, send: [metrics, snapshots]"),
        whole("", "", " }, { id: disk, override: true, path: /tmp/y, batch: { samples: 5 }"),
        whole("", " }, { id: off, plugin: procnet, enabled: false, anything: 1"),
        whole("", " }, { id: run, plugin: exec, command: [/bin/true, b], mode: stream, format: json"),
    ]

    private static let broken: [(text: String, place: String)] = [
        ("agent: {}\nsources: []\nsinks: []\n", "$"), ("version: 2\n", "$.version"), ("version: \"1\"\n", "$.version"),
        (whole("") + "nonsense: 1\n", "$"), (whole("") + "when: { host: a }\n", "$"),
        (whole("intervall: 1s"), "$.agent"),
        (whole("interval: 10"), "$.agent.interval"), (whole("interval: 10S"), "$.agent.interval"),
        (whole("log: { level: loud }"), "$.agent.log.level"), (whole("log: debug"), "$.agent.log"),
        (whole("spool: { max_bytes: 1 }"), "$.agent.spool.max_bytes"),
        (whole("spool: { max_bytes: 64 MiB }"), "$.agent.spool.max_bytes"),
        (whole("labels: [a]"), "$.agent.labels"), (whole("plugin_dirs: /a"), "$.agent.plugin_dirs"),
        (whole("", ", intervall: 1s"), "$.sources[0]"), (whole("", ", series_limit: 0"), "$.sources[0].series_limit"),
        (whole("", ", level: most"), "$.sources[0].level"), (whole("", ", peak_rate: many"), "$.sources[0].peak_rate"),
        (whole("", ", url: x"), "$.sources[0]"), (whole("", ", when: { os: a }"), "$.sources[0].when"),
        (whole("", ", when: db"), "$.sources[0].when"), (whole("", ", enabled: yes"), "$.sources[0].enabled"),
        (whole("", " }, { id: A, plugin: procnet"), "$.sources[1].id"),
        (whole("", " }, { id: agent, plugin: procnet"), "$.sources[1].id"),
        (whole("", " }, { id: a, plugin: file"), "$.sources[1].plugin"),
        (whole("", " }, { id: a"), "$.sources[1]"), (whole("", " }, { plugin: procnet"), "$.sources[1]"),
        (whole("", "", " }, { id: b, plugin: http"), "$.sinks[1]"),
        (whole("", "", ", rotate: { keep: -1 }"), "$.sinks[0].rotate.keep"),
        (whole("", "", ", rotate: { kept: 1 }"), "$.sinks[0].rotate"),
        (whole("", "", ", send: [logs]"), "$.sinks[0].send[0]"),
        (whole("", "", ", format: xml"), "$.sinks[0].format"), (whole("", "", ", path: [a]"), "$.sinks[0].path"),
    ]

    @Test func whatTheAgentTakesIsValidAndWhatItRefusesIsNot() async throws {
        try await Workspace.use { workspace in
            let verdicts = try await verdicts(Self.right + Self.broken.map(\.text), workspace)
            try #require(verdicts.count == Self.right.count + Self.broken.count)
            for (text, verdict) in zip(Self.right, verdicts) { #expect(verdict == "valid", "\(text)") }
            for (broken, verdict) in zip(Self.broken, verdicts.dropFirst(Self.right.count)) {
                #expect(verdict.hasPrefix("\(broken.place):"), "\(verdict)\n\(broken.text)")
            }
        }
    }

    @Test func theAgentSaysTheSame() async throws {
        try await Workspace.use { workspace in
            for (index, text) in (Self.right + Self.broken.map(\.text)).enumerated() {
                let file = try workspace.write("\(index).yaml", text)
                let result = try await workspace.sonde(
                    "check", "-c", file, "--host", "db-1", environment: ["INTERVAL": "1s", "ON": "true"])
                #expect((result.end == .exited(0)) == (index < Self.right.count), "\(text)\n\(result.errors)")
            }
        }
    }

    @Test func fragmentNeedsNoVersionAndMayBeForSomeHosts() async throws {
        let texts = [
            "when: { host: \"db-*\" }\nagent: { interval: 1s }\n", "# nothing\n", "sources:\n", "version: 1\n",
            "when: 1\n",
            "nonsense: 1\n",
        ]
        try await Workspace.use { workspace in
            let verdicts = try await verdicts(texts, workspace, fragment: true)
            #expect(verdicts.map { $0.prefix { $0 != ":" } } == ["valid", "valid", "valid", "valid", "$.when", "$"])
        }
    }

    @Test func pluginsOfOtherDirectoriesAreDescribed() async throws {
        try await Workspace.use { workspace in
            let missing = try await workspace.sonde("config", "schema", "--plugin-dir", workspace.path("none"))
            #expect(missing.end == .exited(0))
            let file = try workspace.write(
                "sonde.yaml", "version: 1\nagent: { plugin_dirs: [\(workspace.path("none"))] }\n")
            let named = try await workspace.sonde("config", "schema", "-c", file)
            #expect(named.end == .exited(0))
            #expect(named.output == missing.output)
        }
    }
}
