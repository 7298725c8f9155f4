import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Testing

@Suite struct ConfigurationLoaderTests {
    private typealias Fixture = ConfigurationFixture

    @Test func minimalFileTakesEveryDefault() throws {
        let loaded = Fixture().load(Fixture.minimal)
        #expect(loaded.problems == [])
        let configuration = try #require(loaded.configuration)
        #expect(configuration.agent.interval == .seconds(10))
        #expect(configuration.agent.stateDirectory == nil)
        #expect(configuration.sources.map(\.id) == ["kernel"])
        #expect(configuration.sources.map(\.interval) == [.seconds(10)])
        #expect(configuration.sinks.map(\.plugin) == ["stdout"])
        #expect(configuration.sinks.map(\.batch) == [SinkConfiguration.BatchLimits()])
        #expect(configuration.sinks.map(\.send) == [nil])
        #expect(configuration.sources[0].options.values["tables"] == .list(["dev", "snmp"]))
        #expect(configuration.sinks[0].options.values["format"] == .string("table"))
    }

    @Test func everyKeyOfTheAgentIsRead() throws {
        let text = Fixture.agent(
            "interval: 1m30s", "labels: { site: fra1, rack: 12 }", "host: edge", "state_dir: /var/lib/sonde",
            "control_socket: /run/a.sock", "control_group: netops",
            "plugin_dirs: [/a, /b]", "shutdown_grace: 2s", "log: { level: debug, format: json }",
            "spool: { max_bytes: 64MiB, overflow: drop_newest }")
        let agent = try #require(Fixture().load(text).configuration).agent
        #expect(agent.interval == .seconds(90))
        #expect(agent.labels == [Attribute("site", "fra1"), Attribute("rack", "12")])
        #expect(agent.host == "edge")
        #expect(agent.stateDirectory == "/var/lib/sonde")
        #expect(agent.controlSocket == .path("/run/a.sock"))
        #expect(agent.controlGroup == "netops")
        #expect(agent.pluginDirectories == ["/a", "/b"])
        #expect(agent.shutdownGrace == .seconds(2))
        #expect(agent.logLevel == .debug)
        #expect(agent.logFormat == .json)
        #expect(agent.spoolMaxBytes == 64 << 20)
        #expect(agent.overflow == .dropNewest)
    }

    @Test func everyKeyOfASinkIsRead() throws {
        let text = Fixture.http(
            "batch: { samples: 10, bytes: 2KiB, wait: 5s }", "retry: { base: 2s, cap: 1m }",
            "send: [snapshots, metrics]", "metrics: { include: [\"system.*\"], exclude: [a, b] }")
        let sink = try #require(Fixture().load(text).configuration?.sinks.first)
        #expect(sink.batch.samples == 10)
        #expect(sink.batch.bytes == 2_048)
        #expect(sink.batch.wait == .seconds(5))
        #expect(sink.retry.base == .seconds(2))
        #expect(sink.retry.cap == .seconds(60))
        #expect(sink.send == [.metrics, .snapshots])
        #expect(sink.metrics.include == ["system.*"])
        #expect(sink.metrics.exclude == ["a", "b"])
    }

    @Test func aGlobThatMatchesNoMetricIsWarnedOf() {
        let source = PluginDescriptor(
            name: "procnet", kind: .source, version: "1", summary: "",
            metrics: [MetricDefinition("system.network.io", .counter, unit: "By", meaning: "")])
        let sink = PluginDescriptor(name: "stdout", kind: .sink, version: "1", summary: "")
        let text =
            Fixture.head + Fixture.source
            + "sinks: [{ id: a, plugin: stdout, metrics: { include: [system.*, system.netwrk.io], exclude: [sonde.loss.*] } }]\n"
        let loaded = ConfigurationFixture(catalog: FakePluginCatalog([source, sink])).load(text)
        #expect(
            loaded.problems.map(\.line) == [
                "3:65 warning SND-CFG036 'system.netwrk.io' in 'metrics.include' matches no metric of the enabled "
                    + "sources; did you mean 'system.network.io'?"
            ])
        // A plugin that does not describe its metrics may have any.
        let silent = PluginDescriptor(name: "procnet", kind: .source, version: "1", summary: "")
        #expect(ConfigurationFixture(catalog: FakePluginCatalog([silent, sink])).load(text).problems == [])
    }

    @Test func aPluginOfBothKindsIsReadWithTheOptionsOfItsSection() throws {
        let source = PluginDescriptor(
            name: "exec", kind: .source, version: "1", summary: "",
            options: [OptionDefinition("mode", .string, help: "")])
        let sink = PluginDescriptor(
            name: "exec", kind: .sink, version: "1", summary: "",
            options: [OptionDefinition("limit", .string, help: "")])
        let fixture = ConfigurationFixture(catalog: FakePluginCatalog([source, sink]))
        let text =
            "version: 1\nsources: [{ id: a, plugin: exec, mode: m }]\nsinks: [{ id: b, plugin: exec, limit: l }]\n"
        let configuration = try #require(fixture.load(text).configuration)
        #expect(configuration.sources.first?.options.values == ["mode": .string("m")])
        #expect(configuration.sinks.first?.options.values == ["limit": .string("l")])
    }

    @Test func sourceKeepsItsOwnIntervalAndLabels() throws {
        let text = Fixture.every("interval: 5s", "labels: { a: b }")
        let source = try #require(Fixture().load(text).configuration?.sources.first)
        #expect(source.interval == .seconds(5))
        #expect(source.labels == [Attribute("a", "b")])
        #expect(source.options.values["interval"] == nil)
    }

    @Test(
        arguments: [
            ("text: no", "text", OptionValues.Value.string("no")),
            ("text: 010", "text", .string("010")),
            ("text: \"a: b\"", "text", .string("a: b")),
            ("text: |", "text", .string("")),
            ("word: green", "word", .string("green")),
            ("flag: TRUE", "flag", .bool(true)),
            ("flag: ${env:FLAG}", "flag", .bool(true)),
            ("flag: \"${env:FLAG}\"", "flag", .bool(true)),
            ("count: 010", "count", .integer(10)),
            ("count: 0x1F", "count", .integer(31)),
            ("count: 0o17", "count", .integer(15)),
            ("count: +7", "count", .integer(7)),
            ("ratio: 5e-1", "ratio", .double(0.5)),
            ("ratio: .25", "ratio", .double(0.25)),
            ("ratio: 1", "ratio", .double(1)),
            ("span: 1h30m", "span", .duration(.seconds(5_400))),
            ("span: \"100us\"", "span", .duration(Nanoseconds(100_000))),
            ("bytes: 512", "bytes", .size(512)),
            ("bytes: 10kB", "bytes", .size(10_000)),
            ("hosts: [a, 1, no]", "hosts", .list(["a", "1", "no"])),
            ("hosts:", "hosts", .list([])),
            ("pairs: { b: 1, a: 2 }", "pairs", .map([Attribute("b", "1"), Attribute("a", "2")])),
            ("deep: { er: { text: x } }", "deep.er.text", .string("x")),
            ("text: !!str 5", "text", .string("5")),
        ])
    func valueIsReadByTheTypeOfItsOption(_ line: String, _ path: String, _ value: OptionValues.Value) throws {
        let loaded = Fixture(environment: ["FLAG": "true"]).load(Fixture.every(line))
        #expect(loaded.problems == [])
        let source = try #require(loaded.configuration?.sources.first)
        #expect(source.options.values[path] == value)
    }

    @Test func disabledEntryIsNeitherLookedUpNorUsed() throws {
        let text =
            Fixture.minimal + "agent: {}\n"
            + "# the second list of sources stands in a fragment\n"
        var fixture = Fixture()
        fixture.others["conf.d/off.yaml"] =
            "sources: [{ id: gone, plugin: nowhere, enabled: false, x: \"${env:NOWHERE}\" }]\n"
        let loaded = fixture.load(text)
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.sources.map(\.id) == ["kernel"])
        #expect(!fixture.catalog.requestedNames.contains("nowhere"))
    }

    @Test func anchorsAndAliasesStandForTheirValues() throws {
        let text =
            "version: 1\nsources:\n  - { id: a, plugin: every, pairs: &p { k: v } }\n"
            + "  - { id: b, plugin: every, pairs: *p }\n" + Fixture.sink
        let configuration = try #require(Fixture().load(text).configuration)
        #expect(configuration.sources[1].options.values["pairs"] == .map([Attribute("k", "v")]))
    }

    @Test func byteOrderMarkAndCarriageReturnsAreRead() {
        let text = "\u{FEFF}" + Fixture.minimal.split(separator: "\n").joined(separator: "\r\n") + "\r\nwhat: 1\r\n"
        #expect(Fixture().load(text).problems.map(\.mark.description) == ["sonde.yaml:4:1"])
    }

    @Test func builtInConfigurationShowsTheKernelAndKeepsNothing() throws {
        let loaded = ConfigurationLoader(
            catalog: { _ in FakePluginCatalog.standard() }, files: FakeFileReader([:]),
            environment: FakeEnvironmentReader()
        ).load(BuiltInConfiguration())
        #expect(loaded.problems == [])
        let configuration = try #require(loaded.configuration)
        #expect(configuration.agent.stateDirectory == nil)
        #expect(configuration.sources.map(\.id) == ["kernel"])
        #expect(configuration.sources.map(\.interval) == [.seconds(1)])
        #expect(configuration.sinks.map(\.id) == ["console"])
        #expect(configuration.sinks[0].options.values["format"] == .string("table"))
    }

    @Test func refusalOfThePluginIsReportedWithItsOwnCode() {
        let fixture = Fixture()
        fixture.catalog.refuse(
            "broken",
            with: SondeError(
                ErrorCode("SND-PLG007"), stage: .loading, class: .configuration,
                message: "broken.so is writable by all",
                recovery: [.advise("chmod o-w broken.so")]))
        let loaded = fixture.load(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: broken }]\n")
        #expect(loaded.problems.map(\.line) == ["3:28 SND-PLG007 broken.so is writable by all; chmod o-w broken.so"])
    }

    @Test func defaultThatDoesNotFitIsThePluginsFault() {
        let descriptor = PluginDescriptor(
            name: "odd", kind: .source, version: "1", summary: "Odd.",
            options: [OptionDefinition("every", .duration(.zero ... .seconds(1)), default: "10", help: "A span.")])
        let fixture = Fixture(catalog: FakePluginCatalog([FakePlugin(descriptor)]))
        let loaded = fixture.load("version: 1\nsources: [{ id: a, plugin: odd }]\n")
        #expect(loaded.problems.map(\.code) == [.nothingEnabled, .malformedDefault])
    }

    @Test func commonKeyOfAPluginNeverReachesIt() throws {
        let descriptor = PluginDescriptor(
            name: "odd", kind: .source, version: "1", summary: "Odd.",
            options: [OptionDefinition("interval", .string, default: "x", help: "Clashes.")])
        let fixture = Fixture(catalog: FakePluginCatalog([FakePlugin(descriptor)]))
        let loaded = fixture.load("version: 1\nsources: [{ id: a, plugin: odd, interval: 2s }]\n")
        #expect(loaded.problems.map(\.code) == [.nothingEnabled])
    }
}
