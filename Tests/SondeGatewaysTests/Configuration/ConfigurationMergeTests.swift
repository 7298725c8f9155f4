import SondeDomain
import SondeEngine
import Testing

@Suite struct ConfigurationMergeTests {
    private typealias Fixture = ConfigurationFixture

    @Test func fragmentsAppendInTheOrderOfTheirNames() throws {
        let fixture = Fixture(others: [
            "conf.d/20-b.yaml": "sources: [{ id: b, plugin: every, labels: { part: b } }]\n",
            "conf.d/10-a.yaml": "version: 1\nsources: [{ id: a, plugin: every }]\n",
            "conf.d/.hidden.yaml": "nonsense",
            "conf.d/README": "nonsense",
        ])
        let loaded = fixture.load(Fixture.minimal)
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.sources.map(\.id) == ["kernel", "a", "b"])
        #expect(loaded.texts.map(\.file) == ["sonde.yaml", "conf.d/10-a.yaml", "conf.d/20-b.yaml"])
    }

    @Test func keysOfTheAgentComeTogetherAcrossFiles() throws {
        let fixture = Fixture(others: [
            "conf.d/a.yaml": "agent: { log: { format: json }, labels: { rack: r1 } }\n",
            "conf.d/empty.yaml": "# nothing\n",
        ])
        let loaded = fixture.load(Fixture.agent("log: { level: debug }", "labels: { site: s1 }"))
        #expect(loaded.problems == [])
        let agent = try #require(loaded.configuration).agent
        #expect(agent.logLevel == .debug)
        #expect(agent.logFormat == .json)
        #expect(agent.labels == [Attribute("site", "s1"), Attribute("rack", "r1")])
        #expect(agent.marks["log.format"]?.file == "conf.d/a.yaml")
    }

    @Test func ofAKeyOfTheAgentTheLastFileCounts() throws {
        let fixture = Fixture(others: [
            "conf.d/20.yaml": "agent: { interval: 3s, labels: { site: c } }\n",
            "conf.d/10.yaml": "agent:\n  interval: 1s\n  log: { level: info }\n  plugin_dirs: [/b]\n",
        ])
        let loaded = fixture.load(
            Fixture.agent("interval: 2s", "log: { level: debug }", "plugin_dirs: [/a, /c]", "labels: { site: a, b: c }")
        )
        #expect(loaded.problems == [])
        let agent = try #require(loaded.configuration).agent
        #expect(agent.interval == .seconds(3))
        #expect(agent.logLevel == .info)
        #expect(agent.pluginDirectories == ["/b"])
        #expect(agent.labels == [Attribute("site", "c"), Attribute("b", "c")])
        let mark = try #require(agent.marks["interval"])
        #expect("\(mark)" == "conf.d/20.yaml:1:20")
        #expect(
            loaded.provenance.replaced[mark]?.map(\.description) == ["sonde.yaml:3:13", "conf.d/10.yaml:2:13"])
    }

    @Test func keyInTwoFormsNamesBothPlaces() {
        let fixture = Fixture(others: ["conf.d/a.yaml": "agent:\n  interval: { a: b }\n  log: info\n"])
        let loaded = fixture.load(Fixture.agent("interval: 2s", "log: { level: debug }"))
        #expect(
            loaded.problems.map { "\($0.mark) \($0.code) \($0.message); \($0.suggestion ?? "")" } == [
                "conf.d/a.yaml:2:3 SND-CFG026 'agent.interval' is a mapping here and a single value before; "
                    + "it is at sonde.yaml:3:3",
                "conf.d/a.yaml:3:3 SND-CFG026 'agent.log' is a single value here and a mapping before; "
                    + "it is at sonde.yaml:4:3",
            ])
    }

    @Test func emptySectionOfALaterFileChangesNothing() throws {
        let fixture = Fixture(others: ["conf.d/a.yaml": "agent:\n  labels:\n  log:\n"])
        let loaded = fixture.load(Fixture.agent("labels: { a: b }", "log: { level: debug }"))
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.agent.labels == [Attribute("a", "b")])
        #expect(loaded.configuration?.agent.logLevel == .debug)
    }

    @Test func wrongValueThatALaterFileReplacesIsNoProblem() {
        let fixture = Fixture(others: ["conf.d/a.yaml": "agent: { interval: 1s, host: h }\n"])
        #expect(fixture.load(Fixture.agent("interval: soon", "host: ${env:NONE}")).problems == [])
    }

    @Test func idIsUniqueOverAllFiles() {
        let fixture = Fixture(others: ["conf.d/a.yaml": "sinks: [{ id: kernel, plugin: file, path: /y }]\n"])
        let problems = fixture.load(Fixture.minimal).problems
        #expect(problems.map(\.code) == [.duplicateID])
        #expect(problems.map(\.mark.description) == ["conf.d/a.yaml:1:15"])
    }

    @Test func otherVersionInAFragmentIsRefused() {
        let fixture = Fixture(others: ["conf.d/a.yaml": "version: 2\n"])
        #expect(fixture.load(Fixture.minimal).problems.map(\.mark.description) == ["conf.d/a.yaml:1:10"])
    }

    @Test func brokenFragmentDoesNotHideTheProblemsOfOthers() {
        let fixture = Fixture(others: [
            "conf.d/a.yaml": "sources: [\n",
            "conf.d/b.yaml": "sourcs: []\n",
        ])
        let problems = fixture.load("version: 1\n").problems
        #expect(
            problems.map { "\($0.mark) \($0.code)" } == [
                "conf.d/a.yaml:2:1 SND-CFG004", "conf.d/b.yaml:1:1 SND-CFG012",
            ])
    }

    @Test func problemsAreSortedByFileLineAndColumn() {
        let fixture = Fixture(others: ["conf.d/a.yaml": "agent: { x: 1, y: 2 }\n"])
        let problems = fixture.load(Fixture.minimal + "zz: 1\nagent: { q: 1 }\n").problems
        #expect(
            problems.map(\.mark.description) == [
                "sonde.yaml:4:1", "sonde.yaml:5:10", "conf.d/a.yaml:1:10", "conf.d/a.yaml:1:16",
            ])
    }

    @Test func endlessProblemsAreCutOff() {
        let keys = (0..<1_000).map { "key\($0): 1\n" }.joined()
        let problems = Fixture().load(Fixture.minimal + keys).problems
        #expect(problems.count == 201)
        #expect(problems.last?.message == "800 more problems are not listed")
    }
}
