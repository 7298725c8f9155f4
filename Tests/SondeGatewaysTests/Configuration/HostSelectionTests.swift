import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct HostSelectionTests {
    private typealias Fixture = ConfigurationFixture

    private func fixture(_ host: String?, _ fragment: String) -> Fixture {
        Fixture(others: ["conf.d/db.yaml": fragment], host: FakeHostReader(name: host))
    }

    @Test(arguments: [
        ("db-*", "db-1", true), ("db-*", "web-1", false), ("DB-?", "db-1", true), ("db-1", "DB-1", true),
        ("[web-*, db-*]", "db-1", true), ("[web-*, db-*]", "mail", false),
        ("\"*.example.net\"", "db.example.net", true), ("\"*\"", "", true), ("db-*", "", false),
    ])
    func fileIsReadOnHostsThatItNames(_ globs: String, _ host: String, _ isRead: Bool) {
        let loaded = fixture(
            host, "when: { host: \(globs) }\nagent: { interval: 1s }\nsources: [{ id: pg, plugin: every }]\n"
        ).load(Fixture.minimal)
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.sources.map(\.id) == (isRead ? ["kernel", "pg"] : ["kernel"]))
        #expect(loaded.configuration?.agent.interval == .seconds(isRead ? 1 : 10))
        #expect(loaded.provenance.leftOut.map(\.part) == (isRead ? [] : ["the file"]))
        #expect(loaded.provenance.host == host)
    }

    @Test func whatIsForOtherHostsIsAsIfAbsent() {
        let loaded = fixture(
            "web-1",
            """
            version: 7
            when: { host: "db-*" }
            nonsense: 1
            agent: { interval: never, nonsense: "${env:NONE}" }
            sources: [{ id: kernel, plugin: none }, 5]
            sinks: 7
            """
        ).load(Fixture.minimal)
        #expect(loaded.problems == [])
        #expect(
            loaded.provenance.leftOut.map { "\($0.mark) \($0.part) \($0.reason)" } == [
                "conf.d/db.yaml:1:1 the file 'when' wants host 'db-*'"
            ])
    }

    @Test func entriesForDifferentHostsMayShareAnID() {
        let text = """
            version: 1
            sources:
              - { id: kernel, plugin: procnet, when: { host: "web-*" }, interval: 1s }
              - { id: kernel, plugin: procnet, when: { host: [db-*, pg-*] }, interval: 2s }
              - { id: extra, plugin: none, when: { host: db-1 } }
            sinks: [{ id: console, plugin: stdout }]
            """
        let web = Fixture().load(text)
        #expect(web.problems == [])
        #expect(web.configuration?.sources.map(\.interval) == [.seconds(1)])
        #expect(
            web.provenance.leftOut.map { "\($0.mark.line) \($0.part): \($0.reason)" } == [
                "4 source 'kernel': 'when' wants host 'db-*' or 'pg-*'", "5 source 'extra': 'when' wants host 'db-1'",
            ])
        let other = Fixture(host: FakeHostReader(name: "pg-7")).load(text)
        #expect(other.problems == [])
        #expect(other.configuration?.sources.map(\.interval) == [.seconds(2)])
    }

    @Test func overrideForOtherHostsChangesNothing() {
        let fragment = "sources: [{ id: kernel, override: true, when: { host: \"db-*\" }, interval: 1s }]\n"
        #expect(fixture("web-1", fragment).load(Fixture.minimal).configuration?.sources[0].interval == .seconds(10))
        #expect(fixture("db-1", fragment).load(Fixture.minimal).configuration?.sources[0].interval == .seconds(1))
    }

    @Test func overrideOfWhatIsLeftOutIsLeftOut() {
        let loaded = fixture("web-1", "sources: [{ id: pg, override: true, interval: 1s }]\n").load(
            Fixture.head + Fixture.sink
                + "sources: [{ id: kernel, plugin: procnet }, { id: pg, plugin: every, when: { host: \"db-*\" } }]\n")
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.sources.map(\.id) == ["kernel"])
        #expect(
            loaded.provenance.leftOut.map(\.reason) == ["'when' wants host 'db-*'", "what it overrides is left out"])
    }

    @Test func valueMayComeFromAReference() {
        var fixture = fixture("db-1", "when: { host: \"${env:ROLE}-*\" }\nsources: [{ id: pg, plugin: every }]\n")
        fixture.environment = ["ROLE": "db"]
        #expect(fixture.load(Fixture.minimal).configuration?.sources.count == 2)
        fixture.environment = ["ROLE": "web"]
        #expect(fixture.load(Fixture.minimal).configuration?.sources.count == 1)
    }

    @Test(arguments: [
        ("when: db-*", "1:7 SND-CFG013 'when' must be a mapping, not a single value; write { host: \"db-*\" }"),
        ("when:", "1:1 SND-CFG013 'when' must be a mapping, not nothing; write { host: \"db-*\" }"),
        ("when: {}", "1:1 SND-CFG011 'when' has no 'host'"),
        ("when: { hots: a }", "1:9 SND-CFG012 unknown key 'hots' in 'when'; did you mean 'host'?"),
        ("when: { host: [] }", "1:15 SND-CFG014 'when.host' is empty"),
        ("when: { host: [\"\"] }", "1:16 SND-CFG033 a glob in 'host' is empty and matches nothing"),
        (
            "when: { host: { a: b } }",
            "1:15 SND-CFG013 'when.host' must be a list, not a mapping; write [a, b] or one '- a' per line"
        ),
        (
            "when: { host: \"${env:NONE}\" }",
            "1:16 SND-CFG028 the environment variable 'NONE' is not set; set it, or write a default: ${env:NONE:-default}"
        ),
    ])
    func whatIsWrongWithAConditionIsReportedOnEveryHost(_ text: String, _ line: String) {
        for host in ["web-1", "db-1"] {
            let lines = fixture(host, text + "\n").load(Fixture.minimal).problems.map(\.line)
            #expect(lines.contains(line), "\(lines)")
        }
        let entry = Fixture(host: FakeHostReader()).load(
            Fixture.head + Fixture.sink + "sources:\n  - id: kernel\n    plugin: procnet\n    \(text)\n")
        #expect(entry.problems.map(\.code.description).contains(String(line.split(separator: " ")[1])))
    }

    @Test func mainFileIsForEveryHost() {
        let problems = Fixture().load(Fixture.minimal + "when: { host: \"db-*\" }\n").problems
        #expect(
            problems.map(\.line) == [
                "4:1 SND-CFG012 the main file is for every host and has no 'when'; write it in a file of conf.d or in an "
                    + "entry"
            ])
    }

    @Test func hostForWhichNothingIsLeftNamesIt() {
        let problems = Fixture().load(
            Fixture.head + Fixture.sink + "sources: [{ id: pg, plugin: every, when: { host: \"db-*\" } }]\n"
        ).problems
        #expect(
            problems.map(\.line) == [
                "3:1 SND-CFG025 no source is enabled on host 'web-1'; left out is source 'pg' at sonde.yaml:3:11: "
                    + "'when' wants host 'db-*'"
            ])
    }

    @Test func digestIsOfWhatIsInForce() {
        func digest(_ host: String, _ secret: String) -> String {
            let loaded = fixture(
                host, "when: { host: \"db-*\" }\nsources: [{ id: pg, plugin: every, text: \(secret) }]\n"
            )
            .load(Fixture.minimal)
            return ConfigurationText.digest(of: loaded.texts)
        }
        #expect(digest("web-1", "a") == digest("web-2", "b"))
        #expect(digest("db-1", "a") == digest("db-2", "a"))
        #expect(digest("db-1", "a") != digest("db-2", "b"))
    }
}
