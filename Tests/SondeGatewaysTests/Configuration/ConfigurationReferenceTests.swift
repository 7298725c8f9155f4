import SondeDomain
import SondeEngine
import SondeTestKit
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

    @Test(arguments: [
        ("text: ${host:name}", "web-1"), ("text: ${host:os}", "debian-12"), ("text: a-${host:machine_id}", "a-0123"),
        ("text: ${cred:token}", "s3cret"), ("text: ${cred:a b.c}", "x"),
    ])
    func hostAndServiceManagerGiveValues(_ line: String, _ value: String) throws {
        let fixture = Fixture(
            others: ["/run/credentials/sonde.service/token": "s3cret\n", "/run/credentials/sonde.service/a b.c": "x"],
            environment: ["CREDENTIALS_DIRECTORY": "/run/credentials/sonde.service"],
            host: FakeHostReader(machineID: "0123", operatingSystem: "debian-12"))
        #expect(try text(line, fixture) == .string(value))
    }

    @Test(arguments: [
        ("${host:machine_id}", "6:12 SND-CFG040 this host has no machine-id in /etc/machine-id"),
        ("${host:os}", "6:12 SND-CFG040 this host has no /etc/os-release"),
        ("${host:name}", "6:12 SND-CFG040 this host has no name"),
        (
            "${host:ip}",
            "6:12 SND-CFG027 'ip' is nothing that a host says of itself; there are '${host:name}', '${host:machine_id}' "
                + "and '${host:os}'"
        ),
        (
            "a ${cred:none}",
            "6:14 SND-CFG041 there is no credential 'none'; add LoadCredential=none:/path to the unit, and start it again"
        ),
        ("${cred:}", "6:12 SND-CFG027 the reference names no credential; write ${cred:name}"),
        (
            "${cred:../shadow}",
            "6:12 SND-CFG027 '../shadow' is no name of a credential; it is the name in LoadCredential=name:/path of the unit"
        ),
        (
            "${cred:.}",
            "6:12 SND-CFG027 '.' is no name of a credential; it is the name in LoadCredential=name:/path of the unit"
        ),
    ])
    func whatIsNotThereIsNamed(_ text: String, _ line: String) {
        let fixture = Fixture(
            environment: ["CREDENTIALS_DIRECTORY": "/run/credentials/x"], host: FakeHostReader(name: nil))
        #expect(fixture.load(Fixture.every("text: \"\(text)\"")).problems.map(\.line) == [line])
    }

    @Test(arguments: [[:], ["CREDENTIALS_DIRECTORY": ""], ["CREDENTIALS_DIRECTORY": "relative"]])
    func withoutAServiceManagerThereAreNoCredentials(_ environment: [String: String]) {
        let fixture = Fixture(others: ["relative/token": "x"], environment: environment)
        #expect(
            fixture.load(Fixture.every("text: ${cred:token}")).problems.map(\.line) == [
                "6:11 SND-CFG041 there are no credentials: the environment variable CREDENTIALS_DIRECTORY is not set; "
                    + "only the service manager sets it: see LoadCredential= in systemd.exec(5)"
            ])
    }

    @Test func credentialThatEverybodyReadsIsAWarningForASecret() {
        let files = [
            "sonde.yaml": FileContents(bytes: Array(Fixture.http("auth: { bearer: \"${cred:t}\" }").utf8)),
            "/c/t": FileContents(bytes: Array("abc".utf8), permissions: 0o644),
        ]
        let fixture = Fixture(environment: ["CREDENTIALS_DIRECTORY": "/c"])
        #expect(
            fixture.load(files).problems.map(\.line) == [
                "7:22 warning SND-CFG030 every user of this machine can read '/c/t'; chmod o-rwx /c/t"
            ])
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
