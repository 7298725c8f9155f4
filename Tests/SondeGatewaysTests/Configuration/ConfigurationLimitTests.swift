import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Testing

@Suite struct ConfigurationLimitTests {
    private typealias Fixture = ConfigurationFixture

    @Test func aliasBombIsAnError() {
        var text = "version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<12 {
            let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(items)]\n"
        }
        #expect(
            Fixture().load(text).problems.map(\.line) == [
                "6:45 SND-CFG005 the file holds more than 100000 values; an alias is counted expanded"
            ])
    }

    @Test func aliasInsideItsOwnAnchorIsAnError() {
        let problems = Fixture().load("version: 1\nagent: &a { labels: *a }\n").problems
        #expect(problems.map(\.line) == ["2:21 SND-CFG004 the alias '*a' has no anchor before it"])
    }

    @Test(arguments: ["[", "{ a: ", "- "])
    func deepNestingIsAnError(_ opening: String) {
        let problems = Fixture().load("version: 1\nagent:\n  " + String(repeating: opening, count: 10_000)).problems
        #expect(problems.map(\.code) == [.yamlLimit])
        #expect(problems.map(\.message) == ["values are nested more than 64 levels deep"])
    }

    @Test func depthThroughAliasesCounts() {
        var text = "version: 1\na0: &a0 [x]\n"
        for level in 1..<70 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        #expect(Fixture().load(text).problems.map(\.code) == [.yamlLimit])
    }

    @Test func manyValuesAreAnError() {
        let text = "version: 1\nagent: { plugin_dirs: [\(String(repeating: "a,", count: 120_000))] }\n"
        #expect(Fixture().load(text).problems.map(\.code) == [.yamlLimit])
    }

    @Test func fileOfMoreThanOneMebibyteIsRefused() {
        let problems = Fixture().load(Fixture.minimal + String(repeating: "#", count: 1 << 20)).problems
        #expect(problems.map(\.line) == ["1:1 SND-CFG002 the file is larger than 1MiB"])
    }

    @Test func invalidUTF8IsNamedAtItsPlace() {
        let bytes = Array("version: 1\nhé: ".utf8) + [0xC3, 0x28, 0x0A]
        #expect(
            Fixture().load(bytes: bytes).problems.map(\.line) == ["2:5 SND-CFG003 a byte here is not valid UTF-8"])
    }

    @Test func missingFileIsNamed() {
        let loaded = ConfigurationLoader(
            catalog: { _ in FakePluginCatalog.standard() }, files: FakeFileReader([:]),
            environment: FakeEnvironmentReader()
        ).load(ConfigurationFiles("/etc/sonde.yaml", files: FakeFileReader([:])))
        #expect(
            loaded.problems.map { "\($0.mark) \($0.message)" } == [
                "/etc/sonde.yaml:1:1 cannot read it: it does not exist"
            ])
        #expect(loaded.configuration == nil)
    }

    @Test func longTextCannotBeMultipliedByAliases() {
        let aliases = String(repeating: "*t, ", count: 1_000)
        let text = "version: 1\nt: &t \"\(String(repeating: "x", count: 100_000))\"\nu: [\(aliases)]\n"
        #expect(
            Fixture().load(text).problems.map(\.line) == [
                "3:165 SND-CFG005 the file holds more than 4MiB of text; an alias is counted expanded"
            ])
    }

    @Test func allFilesTogetherAreBounded() {
        var fixture = Fixture()
        for index in 10..<30 {
            fixture.others["conf.d/\(index).yaml"] = "#" + String(repeating: "x", count: (1 << 20) - 1)
        }
        let problems = fixture.load(Fixture.minimal).problems
        #expect(problems.map(\.message) == ["cannot read it: the files hold more than 16MiB in all"])
        #expect(problems.map(\.mark.file) == ["conf.d/25.yaml"])
    }

    /// Files on which a reader that looks back or ahead without a bound would work for hours.
    @Test(
        .timeLimit(.minutes(1)),
        // What is repeated, how often, and what stands around it: the file itself would fill the log of every run.
        arguments: [
            ("agent: { x: [", "\"${env:X}\",", 20_000, "] }\n"),
            ("agent: { x: \"", "${file:/x}", 25_000, "\" }\n"),
            ("\u{7}", "a=", 100_000, ""),
            ("\u{7}", "a://b@", 40_000, ""),
            ("", "k: 1\n", 20_000, ""),
            ("", "\n", 250_000, ""),
            ("", "? ", 100_000, ""),
            ("\"", "\\u0041", 40_000, "\": 1\n"),
        ])
    func awkwardFileIsReadInReasonableTime(_ start: String, _ repeated: String, _ count: Int, _ end: String) {
        let text = "version: 1\n" + start + String(repeating: repeated, count: count) + end
        #expect(!Fixture().load(text).problems.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func manyKeysAreReadInReasonableTime() {
        let text = "version: 1\n" + (0..<20_000).map { "k\($0): 1\n" }.joined()
        #expect(!Fixture().load(text).problems.isEmpty)
    }
}
