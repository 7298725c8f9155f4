import SondeWire
import Testing

@testable import DNSLogPlugin

/// What the agent's log quotes of the lines that it reads.
@Suite struct QuotedLineTests {
    private let query = "[1795223093] unbound[1:0] query: 192.0.2.1 secret.example. A IN"
    private let odd = "[1795223093] unbound[1:0] query: 192.0.2.1 secret.example. A IN and more"

    private func sentences(_ privacy: NamePrivacy) -> String {
        var settings = LogSettings.forTests
        settings.privacy = privacy
        var log = FollowedLog(settings)
        for line in [query, odd] { log.take(line) }
        return log.sentences().joined(separator: "\n")
    }

    @Test func aLineThatIsNotUnderstoodIsQuoted() {
        #expect(sentences(.full).contains("query: 192.0.2.1 secret.example. A IN and more"))
    }

    @Test(arguments: [NamePrivacy.none, .domain, .hashed(SipKey(first: 1, second: 2))])
    func whatPrivacyHidesIsNotQuoted(_ privacy: NamePrivacy) {
        let text = sentences(privacy)
        #expect(text.contains("a line is no line of unbound") && text.contains("the format is unbound"))
        #expect(!text.contains("secret") && !text.contains("192.0.2.1"))
    }
}
