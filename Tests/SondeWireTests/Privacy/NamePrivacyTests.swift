import SondeTestKit
import SondeWire
import Testing

@Suite struct NamePrivacyTests {
    private static let hashed = NamePrivacy.hashed(SipKey(first: 1, second: 2))
    private let client = IPAddress(ipv4: 0xc000_02e9)
    private let client6 = IPAddress(high: 0x2001_0db8_0007_0001, low: 9)

    private func counted(_ name: String, _ privacy: NamePrivacy) -> String? {
        let name = DNSMessageBuilder.name(name)
        guard let start = name.withUnsafeBytes({ privacy.start(in: $0) }) else { return nil }
        return privacy.text(name: Array(name[start...]))
    }

    @Test func ofANameItsDomainIsItsLastTwoLabels() {
        let names = ["www.example.org": "example.org", "a.b.example.org": "example.org", "example.org": "example.org"]
        for (name, domain) in names { #expect(counted(name, .domain) == domain) }
        #expect(counted("org", .domain) == "org")
        #expect(counted("", .domain) == ".")
    }

    @Test func aNameInFullIsItself() {
        #expect(counted("www.example.org", .full) == "www.example.org")
    }

    @Test func whereNothingMayBeToldNothingIs() {
        #expect(counted("www.example.org", .none) == nil)
        #expect(NamePrivacy.none.text(client: client) == nil)
        #expect(NamePrivacy.none.hash(name: [0]) == nil)
        #expect(NamePrivacy.none.hash(client: client) == nil)
    }

    @Test func ofAClientItsNetworkIsTold() {
        #expect(NamePrivacy.domain.text(client: client) == "192.0.2.0/24")
        #expect(NamePrivacy.domain.text(client: client6) == "2001:db8:7::/48")
        #expect(NamePrivacy.full.text(client: client6) == "2001:db8:7:1::9")
    }

    @Test func aHashIsSixteenDigitsAndTellsNamesAndClientsApart() throws {
        let hashes = [
            counted("www.example.org", Self.hashed), Self.hashed.hash(name: DNSMessageBuilder.name("example.org")),
            Self.hashed.text(client: client), Self.hashed.text(client: client6),
        ].compactMap(\.self)
        #expect(Set(hashes).count == 4)
        #expect(hashes.allSatisfy { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) })
        #expect(Self.hashed.text(client: client) == Self.hashed.hash(client: client))
    }
}
