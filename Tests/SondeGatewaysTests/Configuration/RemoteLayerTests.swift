import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Testing

@Suite struct RemoteLayerTests {
    private struct Layer: RemoteLayerReader {
        let text: String

        func layer(_ agent: AgentSettings) -> ConfigurationPart? {
            agent.remote.url.map { ConfigurationPart(RemoteLayer(serial: 7, text: Array(text.utf8)), of: $0) }
        }
    }

    private static let key = "MCowBQYDK2VwAyEAMmPbejNst3nV/P6HniFVhyIn5JnCDAPD6Rm6eDSR9Wc="

    private static func main(_ remote: String = "url: https://h/f, public_key: \(key)", agent: String = "") -> String {
        """
        version: 1
        agent:
          state_dir: /var/lib/sonde
          remote: { \(remote) }
        \(agent)sources: [{ id: kernel, plugin: procnet }]
        sinks: [{ id: console, plugin: stdout }]

        """
    }

    private static func load(_ layer: String, main: String = main(), others: [String: String] = [:])
        -> LoadedConfiguration
    {
        var files = others.mapValues { FileContents(bytes: Array($0.utf8)) }
        files["sonde.yaml"] = FileContents(bytes: Array(main.utf8))
        let reader = FakeFileReader(files)
        return ConfigurationLoader(
            catalog: { _ in FakePluginCatalog.standard() }, files: reader, environment: FakeEnvironmentReader([:]),
            host: FakeHostReader(), remote: Layer(text: layer)
        ).load(ConfigurationFiles("sonde.yaml", files: reader))
    }

    private static func problems(_ loaded: LoadedConfiguration) -> [String] {
        loaded.problems.map { "\($0.mark) \($0.code)" }
    }

    @Test func itCountsBetweenTheMainFileAndFragments() throws {
        let loaded = Self.load(
            "serial: 7\nagent: { interval: 20s, labels: { a: remote, b: remote } }\nsources: [{ id: b, plugin: every }]\n",
            main: Self.main(agent: "  interval: 10s\n  labels: { a: main, c: main }\n"),
            others: [
                "conf.d/a.yaml": "agent: { labels: { b: fragment } }\nsources: [{ id: b, override: true, text: x }]\n"
            ])
        #expect(loaded.problems == [])
        let configuration = try #require(loaded.configuration)
        #expect(configuration.agent.interval == .seconds(20))
        #expect(
            Set(configuration.agent.labels)
                == [Attribute("a", "remote"), Attribute("b", "fragment"), Attribute("c", "main")])
        #expect(configuration.sources.map(\.id) == ["kernel", "b"])
        #expect(configuration.sources[1].options.values["text"] == .string("x"))
        #expect(loaded.provenance.files == ["sonde.yaml", "https://h/f#7", "conf.d/a.yaml"])
        #expect(configuration.agent.marks["interval"]?.description == "https://h/f#7:2:20")
    }

    @Test func withoutAnAddressThereIsNone() {
        let loaded = Self.load("serial: 7\nagent: { interval: 20s }\n", main: ConfigurationFixture.minimal)
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.agent.interval == .seconds(10))
    }

    @Test func itMayBeForOtherHosts() {
        let loaded = Self.load("serial: 7\nwhen: { host: \"no-such-*\" }\nagent: { interval: 20s }\n")
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.agent.interval == .seconds(10))
    }

    @Test(arguments: [
        "remote: { url: \"https://other/\" }", "state_dir: /elsewhere", "plugin_dirs: [/tmp]", "control_socket: none",
        "control_group: x", "host: other", "spool: { max_bytes: 8MiB }", "history: { max_bytes: 16MiB }",
    ])
    func keysThatOnlyTheHostSetsAreRefused(_ key: String) {
        let loaded = Self.load("serial: 7\nagent: { \(key) }\n")
        #expect(Self.problems(loaded) == ["https://h/f#7:2:10 SND-CFG042"])
        #expect(loaded.configuration == nil)
    }

    @Test(arguments: [
        "id: b, plugin: exec, command: [/bin/true]", "id: b, plugin: \"exec\"",
        "id: b, plugin: every, isolation: in_process",
        "id: b, plugin: every, sandbox: \"off\"", "id: b, plugin: every, text: \"${file:/etc/shadow}\"",
        "id: b, plugin: every, text: \"${env:SECRET:-x}\"", "id: b, plugin: \"${host:name}\"",
    ])
    func whatCouldRunProgramsOrReadFilesIsRefused(_ entry: String) {
        let loaded = Self.load("serial: 7\nsources: [{ \(entry) }]\n")
        #expect(loaded.problems.contains { $0.code.text == "SND-CFG042" }, "\(Self.problems(loaded))")
        #expect(loaded.configuration == nil)
    }

    @Test func aProgramOfTheHostIsNotChanged() {
        let main = Self.main().replacing(
            "{ id: kernel, plugin: procnet }",
            with: "{ id: kernel, plugin: procnet }, "
                + "{ id: run, plugin: exec }")
        let loaded = Self.load("serial: 7\nsources: [{ id: run, override: true, command: [/bin/sh] }]\n", main: main)
        #expect(loaded.problems.contains { $0.code.text == "SND-CFG042" }, "\(Self.problems(loaded))")
    }

    @Test func theSerialIsAKeyOfThisFileOnly() {
        #expect(Self.load("serial: 7\n").problems == [])
        #expect(
            Self.problems(Self.load("serial: 7\n", others: ["conf.d/a.yaml": "serial: 7\n"]))
                == ["conf.d/a.yaml:1:1 SND-CFG012"])
    }

    @Test(arguments: [
        ("public_key: \(key)", [String]()),
        ("url: https://h/f", ["4:18 SND-CFG011"]),
        ("url: https://h/f, public_key: AAAA", ["4:43 SND-CFG033"]),
        ("url: http://h/f, public_key: \(key)", ["4:18 SND-CFG033"]),
        ("url: http://127.0.0.1:80/f, public_key: \(key)", []),
        ("url: \"http://[::1]:80/f\", public_key: \(key)", []),
        ("url: http://127.0.0.1.example.net/, public_key: \(key)", ["4:18 SND-CFG033"]),
        ("url: https://user:pw@h/f, public_key: \(key)", ["4:18 SND-CFG033"]),
        ("url: ftp://h/f, public_key: \(key)", ["4:18 SND-CFG033"]),
        ("url: \"https:///f\", public_key: \(key)", ["4:18 SND-CFG033"]),
        ("url: \"https://h/f\\nkey x\", public_key: \(key)", ["4:18 SND-CFG033"]),
        ("url: https://h/f, public_key: \(key), auth: { bearer: \"a\\nb\" }", ["4:121 SND-CFG033"]),
        ("url: https://h/f, public_key: \(key), interval: 100ms", ["4:115 SND-CFG018"]),
    ])
    func settingsAreChecked(_ remote: String, _ problems: [String]) {
        let loaded = Self.load("serial: 7\n", main: Self.main(remote))
        #expect(Self.problems(loaded) == problems.map { "sonde.yaml:\($0)" })
    }

    @Test func itNeedsAPlaceToKeepTheLastGoodOne() {
        let main = Self.main().replacing("  state_dir: /var/lib/sonde\n", with: "")
        #expect(Self.load("serial: 7\n", main: main).problems.map(\.code.text) == ["SND-CFG011"])
    }

    @Test func theTokenIsASecret() {
        let remote = "url: https://h/f, public_key: \(Self.key), auth: { bearer: t0ken }"
        let loaded = Self.load("serial: 7\n", main: Self.main(remote))
        #expect(loaded.configuration?.agent.remote.bearer == Secret("t0ken"))
        #expect(loaded.texts[0].secrets.isEmpty == false)
    }
}
