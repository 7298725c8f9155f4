import SondeEngine
import SondeTestKit
import Testing

/// Each mistake gives exactly these problems: place, code, message, suggestion.
@Suite struct ConfigurationProblemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let problems: [String]

        init(_ text: String, _ problems: String...) {
            self.text = text
            self.problems = problems
        }

        var testDescription: String { problems.first ?? "none" }
    }

    @Test(arguments: files + topLevel + agents + components + values + references)
    func mistakeIsNamedAtItsPlace(_ mistake: Case) {
        let fixture = ConfigurationFixture(
            others: ["/run/nul": "a\0b", "/run/large": String(repeating: "x", count: 70_000)],
            environment: ["WORD": "blue", "TEN": "10"])
        let loaded = fixture.load(mistake.text)
        #expect(loaded.problems.map(\.line) == mistake.problems)
        #expect((loaded.configuration == nil) == loaded.problems.contains { $0.severity == .error })
    }

    private typealias Fixture = ConfigurationFixture

    static let files: [Case] = [
        Case("", "X"),
        Case("- a\n", "X"),
        Case("version: 1\n\tagent: {}\n", "X"),
        Case("version: 1\nagent: {interval: 1s\n", "X"),
        Case("version: 1\nagent: [1s}\n", "X"),
        Case("version: \"1\n", "X"),
        Case("version: 1\nagent: *nowhere\n", "X"),
        Case("version: 1\u{7}\n", "X"),
        Case("version: 1\0\n", "X"),
        Case(Fixture.minimal + "---\nversion: 1\n", "X"),
        Case(Fixture.minimal + "agent: { interval: 1s, interval: 2s }\n", "X"),
        Case("version: 1\nagent:\n  <<: { interval: 1s }\n", "X"),
        Case("version: 1\n? [a, b]\n: 1\n", "X"),
        Case("version: !!int 1\n", "X"),
        Case("version: 1\nagent: !map {}\n", "X"),
    ]

    static let topLevel: [Case] = [
        Case(Fixture.source + Fixture.sink, "X"),
        Case("version: 2\n" + Fixture.source + Fixture.sink, "X"),
        Case("version: 1.0\n" + Fixture.source + Fixture.sink, "X"),
        Case("version:\n" + Fixture.source + Fixture.sink, "X"),
        Case("version: 1\n", "X"),
        Case("version: 1\nsources:\nsinks: []\n", "X"),
        Case(Fixture.minimal + "source: []\n", "X"),
        Case(Fixture.minimal + "interval: 1s\n", "X"),
        Case(Fixture.minimal + "history: {}\n", "X"),
        Case(Fixture.minimal + "whatever: {}\n", "X"),
        Case(Fixture.minimal + "agent: 5\n", "X"),
    ]

    static let agents: [Case] = [
        Case(Fixture.agent("intervall: 5s"), "X"),
        Case(Fixture.agent("interval: 50ms"), "X"),
        Case(Fixture.agent("interval: 5"), "X"),
        Case(Fixture.agent("interval: [5s]"), "X"),
        Case(Fixture.agent("interval:"), "X"),
        Case(Fixture.agent("control_socket: /run/sonde.sock"), "X"),
        Case(Fixture.agent("spool: { sync: always }"), "X"),
        Case(Fixture.agent("spool: { max_bites: 1MiB }"), "X"),
        Case(Fixture.agent("spool: 64MiB"), "X"),
        Case(Fixture.agent("spool: { overflow: drop_odlest }"), "X"),
        Case(Fixture.agent("log: { level: verbose }"), "X"),
        Case(Fixture.agent("log: { host: a }"), "X"),
        Case(Fixture.agent("log.level: info"), "X"),
        Case(Fixture.agent("plugin_dirs: /opt"), "X"),
        Case(Fixture.agent("labels: [a]"), "X"),
        Case(Fixture.agent("labels: { a: { b: c } }"), "X"),
        Case(Fixture.agent("labels: { \"\": x }"), "X"),
    ]

    static let components: [Case] = [
        Case(Fixture.head + Fixture.sink + "sources: { id: a }\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [kernel]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ plugin: procnet }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: A, plugin: procnet }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: console, plugin: procnet }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnett }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: snmp }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: http }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, enabled: false }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, enabled: no }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, isolation: process }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, procc: /x }]\n", "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: procnet, idd: /x }]\n", "X"),
        Case(Fixture.head + Fixture.source + "sinks: [{ id: a, plugin: http }]\n", "X"),
        Case(Fixture.head + Fixture.source + "sinks: [{ id: a, plugin: file, path: x, rotate: { kep: 1 } }]\n", "X"),
        Case(Fixture.http("on_auth_error: hold"), "X"),
        Case(Fixture.http("dead_letter: { max_bytes: 1MiB }"), "X"),
        Case(Fixture.http("batch: { samples: 0 }"), "X"),
        Case(Fixture.http("batch: { samples: 5e3 }"), "X"),
        Case(Fixture.http("batch: { sample: 1 }"), "X"),
        Case(Fixture.http("retry: { base: 10s, cap: 5s }"), "X"),
        Case(Fixture.http("send: metrics"), "X"),
        Case(Fixture.http("send: [metric]"), "X"),
        Case(Fixture.http("send: []"), "X"),
        Case(Fixture.http("metrics: { include: [\"\"] }"), "X"),
        Case(Fixture.http("tls: { ca_fil: /x }"), "X"),
        Case(Fixture.http("tls: true"), "X"),
        Case(Fixture.http("auth: { bearer: [a] }"), "X"),
        Case(Fixture.http("auth.bearer: abc"), "X"),
    ]

    static let values: [Case] = [
        Case(Fixture.every("flag: yes"), "X"),
        Case(Fixture.every("flag: On"), "X"),
        Case(Fixture.every("flag: \"true\""), "X"),
        Case(Fixture.every("count: 1:30"), "X"),
        Case(Fixture.every("count: \"5\""), "X"),
        Case(Fixture.every("count: 101"), "X"),
        Case(Fixture.every("count: 99999999999999999999"), "X"),
        Case(Fixture.every("count: 1_0"), "X"),
        Case(Fixture.every("ratio: .nan"), "X"),
        Case(Fixture.every("ratio: 1.5"), "X"),
        Case(Fixture.every("span: 10"), "X"),
        Case(Fixture.every("span: -5s"), "X"),
        Case(Fixture.every("span: 5 s"), "X"),
        Case(Fixture.every("span: 1s1m"), "X"),
        Case(Fixture.every("span: 999999999d"), "X"),
        Case(Fixture.every("bytes: 5 MB"), "X"),
        Case(Fixture.every("bytes: -1"), "X"),
        Case(Fixture.every("bytes: 99999999TiB"), "X"),
        Case(Fixture.every("word: gren"), "X"),
        Case(Fixture.every("word: ~"), "X"),
        Case(Fixture.every("text: \"a\\0b\""), "X"),
        Case(Fixture.every("hosts: [a, , b]"), "X"),
        Case(Fixture.every("hosts: [a, [b]]"), "X"),
        Case(Fixture.every("pairs: { a: ~ }"), "X"),
        Case(Fixture.every("deep: { er: { txt: a } }"), "X"),
    ]

    static let references: [Case] = [
        Case(Fixture.every("text: a ${env:NOWHERE}"), "X"),
        Case(Fixture.every("text: ${env:WORD} ${env:NOWHERE}"), "X"),
        Case(Fixture.every("text: $${env:A} ${env:NOWHERE}"), "X"),
        Case(Fixture.every("text: \"\\t ${env:NOWHERE}\""), "X"),
        Case(Fixture.every("text: |", "  first", "  and ${env:NOWHERE}"), "X"),
        Case(Fixture.every("text: ${env:}"), "X"),
        Case(Fixture.every("text: ${env:A-B}"), "X"),
        Case(Fixture.every("text: ${WORD}"), "X"),
        Case(Fixture.every("text: ${env:WORD"), "X"),
        Case(Fixture.every("text: ${env:A:-${env:B}}"), "X"),
        Case(Fixture.every("text: ${file:}"), "X"),
        Case(Fixture.every("text: ${file:token}"), "X"),
        Case(Fixture.every("text: ${file:/run/none}"), "X"),
        Case(Fixture.every("text: ${file:/run/nul}"), "X"),
        Case(Fixture.every("text: ${file:/run/large}"), "X"),
        Case(Fixture.every("span: ${env:TEN}"), "X"),
        Case(Fixture.every("hosts: [a, \"${env:NOWHERE}\"]"), "X"),
        Case(Fixture.http("auth: { bearer: \"${env:NOWHERE}\" }"), "X"),
        Case(Fixture.head + Fixture.sink + "sources: [{ id: a, plugin: snmp, x: \"${env:NOWHERE}\" }]\n", "X"),
    ]
}
