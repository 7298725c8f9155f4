import SondeDomain
import SondeEngine
import Testing

@Suite struct ConfigurationReferenceTests {
    private typealias Fixture = ConfigurationFixture

    private func text(_ line: String, _ fixture: ConfigurationFixture) throws -> OptionValues.Value? {
        let loaded = fixture.load(Fixture.every(line))
        try #require(loaded.problems == [])
        return loaded.configuration?.sources.first?.options.values["text"]
    }

    @Test(
        arguments: [
            ("text: ${env:NAME}", "value"),
            ("text: a${env:NAME}b${env:NAME}", "avaluebvalue"),
            ("text: ${env:NONE:-other}", "other"),
            ("text: ${env:EMPTY:-other}", "other"),
            ("text: ${env:NONE:-}", ""),
            ("text: ${env:EMPTY}", ""),
            ("text: \"${env:NONE:-a:-b}\"", "a:-b"),
            ("text: $${env:NAME}", "${env:NAME}"),
            ("text: $$${env:NAME}", "$${env:NAME}"),
            ("text: $NAME ${file:/run/line}", "$NAME secret"),
            ("text: ${file:/run/crlf}", "secret"),
            ("text: ${file:/run/two}", "one\n"),
            ("text: ${env:YAML}", "x, flag: true }\n- a: *b"),
            ("text: ${env:NESTED}", "${env:NAME}"),
        ])
    func referenceIsReplacedByExactlyWhatItNames(_ line: String, _ value: String) throws {
        let fixture = Fixture(
            others: ["/run/line": "secret\n", "/run/crlf": "secret\r\n", "/run/two": "one\n\n"],
            environment: [
                "NAME": "value", "EMPTY": "", "YAML": "x, flag: true }\n- a: *b", "NESTED": "${env:NAME}",
            ])
        #expect(try text(line, fixture) == .string(value))
    }

    @Test func secretOptionIsASecretHoweverItIsGiven() throws {
        let fixture = Fixture(others: ["/run/token": "s3cret\n"])
        let loaded = fixture.load(Fixture.http("auth: { bearer: \"${file:/run/token}\", basic: { password: abc } }"))
        #expect(loaded.problems == [])
        let values = try #require(loaded.configuration?.sinks.first).options.values
        #expect(values["auth.bearer"] == .secret(Secret("s3cret")))
        #expect(values["auth.basic.password"] == .secret(Secret("abc")))
    }

    @Test func secretFileThatEverybodyReadsIsAWarning() {
        let loaded = Fixture().load([
            "sonde.yaml": FileContents(bytes: Array(Fixture.http("auth: { bearer: \"${file:/run/token}\" }").utf8)),
            "/run/token": FileContents(bytes: Array("abc".utf8), permissions: 0o777),
        ])
        #expect(
            loaded.problems.map(\.line) == [
                "7:22 warning SND-CFG030 every user of this machine can read '/run/token'; chmod o-rwx /run/token"
            ])
        #expect(loaded.configuration != nil)
    }

    @Test func secretInAnOpenConfigurationFileIsAWarning() {
        let loaded = Fixture().load([
            "sonde.yaml": FileContents(bytes: Array(Fixture.http("auth: { bearer: abc }").utf8), permissions: 0o644)
        ])
        #expect(
            loaded.problems.map(\.line) == [
                "7:21 warning SND-CFG030 the secret 'auth.bearer' is in a file that every user can read; "
                    + "refer to its own file: ${file:/path}"
            ])
        #expect(loaded.configuration != nil)
    }

    @Test func openFileBehindAnOrdinaryOptionIsNoProblem() {
        let loaded = Fixture().load([
            "sonde.yaml": FileContents(bytes: Array(Fixture.every("text: ${file:/etc/name}").utf8), permissions: 0o644),
            "/etc/name": FileContents(bytes: Array("abc".utf8), permissions: 0o644),
        ])
        #expect(loaded.problems == [])
    }

    @Test func referencesCannotFillTheMemory() {
        let references = String(repeating: "${file:/run/full}", count: 1_000)
        let fixture = Fixture(others: ["/run/full": String(repeating: "x", count: 60_000)])
        #expect(fixture.load(Fixture.every("text: \(references)")).problems.map(\.code) == [.unusableReferenceFile])
    }

    @Test(
        arguments: [
            Fixture.http("auth: { bearer: s3cret, basic: [s3cret] }"),
            Fixture.http("auth: { bearer: [s3cret] }"),
            Fixture.http("auth: { beare: s3cret }"),
            Fixture.http("timeout: ${file:/run/token}"),
            Fixture.http("auth: { bearer: \"s3cret\\0\" }"),
        ])
    func messageNeverRepeatsASecret(_ text: String) {
        let loaded = Fixture(others: ["/run/token": "x"]).load(text)
        #expect(!loaded.problems.isEmpty)
        #expect(!loaded.problems.contains { $0.line.contains("s3cret") })
    }
}
