import SondeEngine
import Testing

@Suite struct ConfigurationDigestTests {
    private func digest(_ lines: [String], secrets: [ConfigurationText.SecretSpan] = []) -> String {
        ConfigurationText.digest(of: [ConfigurationText(file: "sonde.yaml", lines: lines, secrets: secrets)])
    }

    @Test func itIsSixteenDigitsOfTheTextAlone() {
        let first = digest(["version: 1", "é"])
        #expect(first.utf8.count == 16)
        #expect(first.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        #expect(ConfigurationText.digest(of: [ConfigurationText(file: "b", lines: ["version: 1", "é"])]) == first)
        #expect(digest(["version: 1", "e"]) != first)
        #expect(digest(["version: 1é"]) != first)
        #expect(digest([]) == "cbf29ce484222325")
    }

    @Test func aSecretIsNotInItAndWhatStandsBesideItIs() {
        let span = ConfigurationText.SecretSpan(startLine: 1, startColumn: 8, endLine: 1, endColumn: 11)
        let known = digest(["token: abc # x"], secrets: [span])
        #expect(digest(["token: xyz # x"], secrets: [span]) == known)
        #expect(digest(["token: abc # y"], secrets: [span]) != known)
        #expect(digest(["token: abc # x"]) != known)
    }
}
