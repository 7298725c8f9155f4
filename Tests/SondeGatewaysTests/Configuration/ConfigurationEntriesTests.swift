import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// Options that are lists of mappings.
@Suite struct ConfigurationEntriesTests {
    private static let descriptor = PluginDescriptor(
        name: "probe", kind: .source, version: "1", summary: "Probes.",
        options: [
            OptionDefinition(
                "targets",
                .entries([
                    OptionDefinition("host", .string, required: true, help: "Whom."),
                    OptionDefinition("port", .integer(1...65_535), default: "53", help: "Where."),
                    OptionDefinition(
                        "wait", .duration(.milliseconds(1)...(.seconds(60))), default: "2s", help: "How long."),
                    OptionDefinition("token", .string, secret: true, help: "With what."),
                    OptionDefinition("names", .list, help: "For what."),
                ]), help: "Whom to ask.")
        ])

    /// The result of `targets:` with these lines; the first is line 5.
    private func load(_ lines: String...) -> LoadedConfiguration {
        let text =
            "version: 1\nsources:\n  - id: p\n    plugin: probe\n" + lines.map { "    \($0)\n" }.joined()
            + "sinks: [{ id: console, plugin: stdout }]\n"
        let stdout = PluginDescriptor(name: "stdout", kind: .sink, version: "1", summary: "Out.")
        let catalog = FakePluginCatalog([Self.descriptor, stdout])
        return ConfigurationFixture(catalog: catalog, environment: ["HOST": "c"]).load(text)
    }

    @Test func eachEntryIsReadAndDefaultedMemberByMember() throws {
        let loaded = load(
            "targets:", "  - { host: a, port: 5353, token: t, names: [x, y] }", "  - host: ${env:HOST}", "    wait: 1s")
        #expect(loaded.problems == [])
        let options = try #require(loaded.configuration).sources[0].options
        #expect(
            options.values == [
                "targets": .entries(2), "targets[0].host": .string("a"), "targets[0].port": .integer(5_353),
                "targets[0].wait": .duration(.seconds(2)), "targets[0].token": .secret(Secret("t")),
                "targets[0].names": .list(["x", "y"]), "targets[1].host": .string("c"),
                "targets[1].port": .integer(53), "targets[1].wait": .duration(.seconds(1)),
            ])
        #expect(options.references == ["targets[1].host": "${env:HOST}"])
        // What a plugin names gets its place: the member, or the entry where the file does not set it.
        #expect(options.mark(for: "targets[1].host")?.description == "sonde.yaml:7:15")
        #expect(options.mark(for: "targets[1].port")?.description == "sonde.yaml:7:9")
        #expect(options.mark(for: "targets[0].names[1]")?.description == "sonde.yaml:6:53")
        #expect(options.mark(for: "targets[9].host")?.description == "sonde.yaml:6:7")
    }

    @Test(arguments: ["targets:", "targets: []", "#"]) func aListMayBeEmptyOrMissing(_ line: String) throws {
        let loaded = load(line)
        #expect(loaded.problems == [])
        let values = try #require(loaded.configuration).sources[0].options.values
        #expect(values == (line == "#" ? [:] : ["targets": .entries(0)]))
    }

    @Test func everyMistakeIsReportedAtItsPlace() {
        let loaded = load(
            "targets:", "  - { hots: a }", "  - { host: b, port: 0 }", "  - c", "  - { host: d, prot: 1, wait: 5 }",
            "  - { host: [e] }")
        #expect(
            loaded.problems.map(\.line) == [
                "6:9 SND-CFG011 'targets[0]' of source 'p' (probe) has no 'host'",
                "6:11 SND-CFG012 unknown key 'hots' in 'targets[0]' of source 'p' (probe); did you mean 'host'?",
                "7:26 SND-CFG018 'targets[1].port' must be between 1 and 65535, not '0'",
                "8:9 SND-CFG013 'targets[2]' must be a mapping, not a single value; write one '- host: …' per entry",
                "9:20 SND-CFG012 unknown key 'prot' in 'targets[3]' of source 'p' (probe); did you mean 'port'?",
                "9:35 SND-CFG016 'targets[3].wait' is '5' without a unit; write 5s for seconds",
                "10:17 SND-CFG013 'targets[4].host' must be a single value, not a list",
            ])
    }

    @Test func aPluginIsNeverAskedAboutHalfAList() {
        let loaded = load("targets: [{ host: a }, { host: b, port: 0 }]")
        #expect(loaded.draft.sources.first?.options.values == [:])
    }

    @Test(arguments: [
        ("targets: a", "5:14 SND-CFG013 'targets' must be a list of mappings, not a single value"),
        ("targets: { host: a }", "5:14 SND-CFG013 'targets' must be a list of mappings, not a mapping"),
    ])
    func whatIsNoListOfMappingsIsRefused(_ line: String, _ problem: String) {
        #expect(load(line).problems.map(\.line) == [problem + "; write one '- host: …' per entry"])
    }

    @Test func thereIsABoundOnEntries() {
        func targets(_ count: Int) -> String {
            "targets: [\((0..<count).map { _ in "{ host: a }" }.joined(separator: ", "))]"
        }
        #expect(load(targets(1_024)).problems == [])
        #expect(
            load(targets(1_025)).problems.map(\.line) == [
                "5:14 SND-CFG018 'targets' has 1025 entries, at most 1024 are allowed"
            ])
    }

    @Test(arguments: [
        "targets: [{ host: a, token: hush }]", "targets: [{ host: a, tokn: hush }]", "targets: [hush]",
        "targets: hush", "targets: { a: hush }",
    ])
    func aSecretIsHiddenEvenWhereItDoesNotBelong(_ line: String) throws {
        let loaded = load(line)
        let text = try #require(loaded.texts.first)
        let column = try #require(text.lines[4].utf8.firstRange(of: "hush".utf8)).lowerBound
        let place = text.lines[4].utf8.distance(from: text.lines[4].startIndex, to: column) + 1
        #expect(text.secrets.contains { $0.startLine == 5 && $0.startColumn <= place && place < $0.endColumn })
        #expect(!loaded.problems.contains { $0.line.contains("hush") })
    }
}
