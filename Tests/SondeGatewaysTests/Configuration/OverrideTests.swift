import SondeDomain
import SondeEngine
import Testing

@Suite struct OverrideTests {
    private typealias Fixture = ConfigurationFixture

    private static let main = """
        version: 1
        sources:
          - { id: all, plugin: every, interval: 10s, text: a, hosts: [a, b], pairs: { a: b }, labels: { x: "1" } }
        sinks: [{ id: console, plugin: stdout }]

        """

    @Test func overrideChangesTheEntryOfItsID() throws {
        let fixture = Fixture(others: [
            "conf.d/a.yaml": """
            sources:
              - { id: all, override: true, interval: 1s, hosts: [c], pairs: { c: d }, labels: { y: "2" } }
            """
        ])
        let loaded = fixture.load(Self.main)
        #expect(loaded.problems == [])
        let source = try #require(loaded.configuration?.sources.first)
        #expect(loaded.configuration?.sources.count == 1)
        #expect(source.plugin == "every")
        #expect(source.interval == .seconds(1))
        #expect(source.labels == [Attribute("x", "1"), Attribute("y", "2")])
        #expect(source.options.values["text"] == .string("a"))
        #expect(source.options.values["hosts"] == .list(["c"]))
        #expect(source.options.values["pairs"] == .map([Attribute("a", "b"), Attribute("c", "d")]))
        #expect(source.options.marks["text"]?.file == "sonde.yaml")
        #expect(source.options.marks["hosts"]?.file == "conf.d/a.yaml")
    }

    @Test func overrideSwitchesAnEntryOffAndOn() throws {
        let fixture = Fixture(others: [
            "conf.d/a.yaml": "sources: [{ id: all, override: true, enabled: false }, { id: b, plugin: every }]\n",
            "conf.d/b.yaml": "sources: [{ id: b, override: true, enabled: true, text: b }]\n",
        ])
        let loaded = fixture.load(Self.main)
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.sources.map(\.id) == ["b"])
        #expect(loaded.provenance.leftOut.map(\.part) == ["source 'all'"])
        #expect(loaded.provenance.leftOut.map(\.reason) == ["'enabled' is false"])
    }

    @Test func sameIDWithoutOverrideNamesBothPlaces() {
        let fixture = Fixture(others: [
            "conf.d/a.yaml": "sources:\n  - { id: all, plugin: every, override: false }\n"
        ])
        #expect(
            fixture.load(Self.main).problems.map { "\($0.mark) \($0.line)" } == [
                "conf.d/a.yaml:2:11 2:11 SND-CFG022 the id 'all' is given twice; it is already at sonde.yaml:3:11; ids are "
                    + "unique over sources and sinks; 'override: true' changes the first one"
            ])
    }

    @Test(arguments: [
        (
            "sources: [{ id: all, override: true, plugin: procnet }]", "1:22", "SND-CFG039",
            "an override cannot change the plugin of 'all' from 'every' to 'procnet'"
        ),
        (
            "sources: [{ id: al, override: true, text: b }]", "1:21", "SND-CFG039",
            "there is no source 'al' before it that it could override"
        ),
        (
            "sinks: [{ id: all, override: true }]", "1:20", "SND-CFG039",
            "there is no sink 'all' before it that it could override"
        ),
        (
            "sources: [{ id: all, override: maybe }]", "1:32", "SND-CFG015",
            "'override' must be true or false, not 'maybe'"
        ),
        (
            "sources: [{ id: all, override: true, txt: b }]", "1:38", "SND-CFG012",
            "unknown key 'txt' in source 'all' (every)"
        ),
        (
            "sources: [{ id: all, override: true, text: [b] }]", "1:38", "SND-CFG026",
            "'text' is a list here and a single value before"
        ),
        ("sources: [{ override: true, text: b }]", "1:11", "SND-CFG011", "source has no 'id'"),
    ])
    func whatIsWrongWithAnOverrideHasItsPlace(_ text: String, _ place: String, _ code: String, _ message: String) {
        let problems = Fixture(others: ["conf.d/a.yaml": text + "\n"]).load(Self.main).problems
        let first = problems.first { $0.code.description == code && $0.mark.file == "conf.d/a.yaml" }
        #expect(first?.message == message, "\(problems.map(\.line))")
        #expect(first.map { "\($0.mark.line):\($0.mark.column)" } == place)
    }

    @Test func severalOverridesCountInTheirOrder() throws {
        let fixture = Fixture(others: [
            "conf.d/a.yaml":
                "sources: [{ id: all, override: true, text: b, pairs: { a: 1, c: 2 }, deep: { er: { text: x } } }]",
            "conf.d/b.yaml":
                "sources: [{ id: all, override: true, text: c, pairs: { a: 3 }, deep: { er: { text: y } } }]",
        ])
        let loaded = fixture.load(Self.main)
        #expect(loaded.problems == [])
        let options = try #require(loaded.configuration?.sources.first).options
        #expect(options.values["text"] == .string("c"))
        #expect(options.values["deep.er.text"] == .string("y"))
        #expect(options.values["pairs"] == .map([Attribute("a", "3"), Attribute("c", "2")]))
        let mark = try #require(options.marks["text"])
        #expect(loaded.provenance.replaced[mark]?.map(\.file) == ["sonde.yaml", "conf.d/a.yaml"])
    }

    @Test(.timeLimit(.minutes(1))) func manyOverridesAreReadInReasonableTime() {
        let lines = (0..<5_000).map { "- { id: all, override: true, text: a, pairs: { k\($0): v } }\n" }.joined()
        let loaded = Fixture(others: ["conf.d/a.yaml": "sources:\n" + lines]).load(Self.main)
        #expect(loaded.problems == [])
        let options = loaded.configuration?.sources.first?.options
        #expect(options?.values["pairs"]?.isMap(of: 5_001) == true)
        #expect(options?.marks["text"].flatMap { loaded.provenance.replaced[$0] }?.count == 8)
    }

    @Test func secretThatIsReplacedIsNotShown() {
        let fixture = Fixture(others: [
            "conf.d/a.yaml": "sinks: [{ id: central, override: true, auth: { bearer: new } }]\n"
        ])
        let loaded = fixture.load(
            Fixture.head + Fixture.source
                + "sinks:\n  - { id: central, plugin: http, url: https://h/, auth: { bearer: old }, wrong: 1 }\n")
        #expect(loaded.problems.map(\.code) == [.unknownKey])
        let spans = loaded.texts.first { $0.file == "sonde.yaml" }?.secrets ?? []
        #expect(spans.contains { $0.startLine == 4 && $0.startColumn == 67 })
    }
}

extension OptionValues.Value {
    /// Whether it is a map of so many keys.
    fileprivate func isMap(of count: Int) -> Bool {
        guard case .map(let pairs) = self else { return false }
        return pairs.count == count
    }
}
