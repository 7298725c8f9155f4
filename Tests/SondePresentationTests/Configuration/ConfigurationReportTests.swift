import SondeDomain
import SondeEngine
import SondeGateways
import SondePresentation
import SondeTestKit
import Testing

@Suite struct ConfigurationReportTests {
    private func report(_ text: String, others: [String: String] = [:]) -> String {
        let files = FakeFileReader(texts: others.merging(["sonde.yaml": text]) { first, _ in first })
        let loaded = ConfigurationLoader(
            catalog: { _ in FakePluginCatalog.standard() }, files: files, environment: FakeEnvironmentReader()
        ).load(ConfigurationFiles("sonde.yaml", files: files))
        return ConfigurationReportView.text(ConfigurationReportState(loaded))
    }

    @Test func eightMistakesGiveEightMessages() {
        let text = """
            version: 1
            agent:
              intervall: 10s
              log: { level: debug }
            sources:
              - id: Kernel
                plugin: procnett
              - { id: wire, plugin: procnet, interval: 5 }
            sinks:
              - id: central
                plugin: http
                auth: { beare: s3cret, bearer: "${env:TOKEN}" }
                allow_insecure: yes
            """
        #expect(
            report(text) == """
                sonde.yaml:3:3: error[SND-CFG012]: unknown key 'intervall' in 'agent'; did you mean 'interval'?
                  intervall: 10s
                  ^
                sonde.yaml:6:9: error[SND-CFG021]: 'Kernel' is no id; \
                use 1 to 64 of a-z, 0-9, '_', '.' and '-', beginning with a letter or digit
                  - id: Kernel
                        ^
                sonde.yaml:7:13: error[SND-CFG023]: there is no plugin 'procnett'; did you mean 'procnet'?
                    plugin: procnett
                            ^
                sonde.yaml:8:44: error[SND-CFG016]: 'interval' is '5' without a unit; write 5s for seconds
                  - { id: wire, plugin: procnet, interval: 5 }
                                                           ^
                sonde.yaml:10:5: error[SND-CFG011]: sink 'central' (http) has no 'url'
                  - id: central
                    ^
                sonde.yaml:12:13: error[SND-CFG012]: unknown key 'auth.beare' in sink 'central' (http); did you mean 'bearer'?
                    auth: { beare: ***, bearer: "${env:TOKEN}" }
                            ^
                sonde.yaml:12:37: error[SND-CFG028]: the environment variable 'TOKEN' is not set; \
                set it, or write a default: ${env:TOKEN:-default}
                    auth: { beare: ***, bearer: "${env:TOKEN}" }
                                                 ^
                sonde.yaml:13:21: error[SND-CFG015]: 'allow_insecure' must be true or false, not 'yes'; write true or false
                    allow_insecure: yes
                                    ^

                """)
    }

    @Test func warningIsCalledOne() {
        let problem = ConfigurationProblem(
            .exposedSecret, at: SourceMark(file: "a.yaml", line: 1, column: 2), "careful", severity: .warning)
        let state = ConfigurationReportState(LoadedConfiguration(configuration: nil, problems: [problem], texts: []))
        #expect(ConfigurationReportView.text(state) == "a.yaml:1:2: warning[SND-CFG030]: careful\n")
        #expect(state.errorCount == 0)
        #expect(state.warningCount == 1)
    }

    @Test func nothingInAMessageSteersATerminal() {
        let problem = ConfigurationProblem(
            .unknownKey, at: SourceMark(file: "a\u{1B}[2J.yaml", line: 1, column: 2), "x\ny", suggestion: "\u{202E}z")
        let state = ConfigurationReportState(LoadedConfiguration(configuration: nil, problems: [problem], texts: []))
        #expect(
            ConfigurationReportView.text(state)
                == "a\u{FFFD}[2J.yaml:1:2: error[SND-CFG012]: x\u{FFFD}y; \u{FFFD}z\n")
    }

    @Test func fileThatCannotBeReadHasNoExcerpt() {
        let files = FakeFileReader(texts: [:])
        let loaded = ConfigurationLoader(catalog: { _ in FakePluginCatalog() }, files: files).load(
            ConfigurationFiles("a", files: files))
        let text = ConfigurationReportView.text(ConfigurationReportState(loaded))
        #expect(text == "a:1:1: error[SND-CFG001]: cannot read it: it does not exist\n")
    }

    @Test(
        arguments: [
            // The secret stands before, under and behind the place of a problem, in trees and in files that are no YAML.
            "version: 1\nsinks: [{ id: a, plugin: http, url: u, auth: { bearer: s3cret }, x: 1 }]\n",
            "version: 1\nsinks: [{ id: a, plugin: http, url: u, auth: { bearer: [s3cret] } }]\n",
            "version: 1\nsinks: [{ id: a, plugin: http, url: u, auth: { beaer: s3cret } }]\n",
            "version: 1\nsinks: [{ id: a, plugin: http, url: u, auth: { bearer: { x: s3cret } } }]\n",
            "version: 1\nsinks: [{ id: a, plugin: http, url: \"https://me:s3cret@h\", x: 1 }]\n",
            "version: 1\nsinks: [{ id: a, plugin: http, url: u, api_token: s3cret }]\n",
            "version: 1\nsinks: [{ id: a, plugin: http, url: u, auth.bearer: s3cret }]\n",
            "version: 1\nsinks: [{ id: a, plugin: http, url: u, auth: { bearer: \"${env:N:-s3cret}\" }, x: 1 }]\n",
            "version: 1\nsinks: [{ id: a, plugin: http, url: u, auth: { bearer: \"${env:N} s3cret\" }, x: 1 }]\n",
            "version: 1\nx: *a\nauth: { bearer: s3cret }\n",
            "version: 1\nauth: { bearer: s3cret\n",
            "version: 1\nauth: { bearer: s3cret ]\n",
            "version: 1\npassword: |\n  line\n  s3cret\u{7}\n",
            "version: 1\npassword: |\n  line\n\n\n   s3cret\u{7}\n",
            "version: 1\npassword:\n  - 'abc\n  s3cret\n",
            "version: 1\npassword: \"abc\n  s3cret\u{7}\"\n",
            "version: 1\nurl: https://me:s3cret@h \u{7}\n",
            "version: 1\nx: &a s3cret\nsinks: [{ id: a, plugin: http, url: u, auth: { bearer: *a }, y: 1 }]\n",
        ])
    func secretIsNeverShown(_ text: String) {
        let report = report(text)
        #expect(report.contains("error["))
        #expect(!report.contains("s3cret"))
    }

    @Test func bareReferenceIsShownBecauseItIsNoSecret() {
        let text = "version: 1\nsinks: [{ id: a, plugin: http, url: u, auth: { bearer: \"${env:NOWHERE}\" } }]\n"
        #expect(report(text).contains("bearer: \"${env:NOWHERE}\""))
    }

    @Test func aHintThatIsASentenceStandsAsOne() {
        func heading(_ suggestion: String) -> String? {
            let problem = ConfigurationProblem(
                .wrongType, at: SourceMark(file: "a.yaml", line: 1, column: 1), "url is odd", suggestion: suggestion)
            let loaded = LoadedConfiguration(configuration: nil, problems: [problem], texts: [])
            return ConfigurationReportState(loaded).entries.first?.heading
        }
        #expect(heading("Use https.")?.hasSuffix("]: url is odd. Use https.") == true)
        #expect(heading("write another")?.hasSuffix("]: url is odd; write another") == true)
    }
}
