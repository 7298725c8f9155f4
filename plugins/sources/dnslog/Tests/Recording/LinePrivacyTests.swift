import SondeTestKit
import SondeWire
import Testing

@testable import DNSLogPlugin

@Suite struct LinePrivacyTests {
    private func privacy() throws -> LinePrivacy { LinePrivacy(try #require(Pseudonyms(secret: Array(0..<16)))) }

    private func replaced(_ line: String) throws -> String {
        let privacy = try privacy()
        return String(decoding: Array(line.utf8).withUnsafeBytes { privacy.replacing($0) }, as: UTF8.self)
    }

    @Test(arguments: [
        ("Nov 26 12:00:00 myhost dnsmasq[612]: query[A] printer from 192.168.1.77", ["myhost", "printer", "1.77"]),
        ("Nov 26 12:00:00 dnsmasq[612]: reply www.secret-name.example is 203.0.113.9", ["secret-name", "203.0.113.9"]),
        ("[1795223093] unbound[1:0] info: 2001:db8:77::5 Secret-Name.example. AAAA IN", ["2001:db8:77", "ecret-Name"]),
        (
            "26-Nov-2026 12:00:00.123 client @0x7f01 203.0.113.9#40000 (secret.example): query: secret.example IN A +E(0)K (198.51.100.4)",
            ["203.0.113.9", "secret", "198.51.100.4"]
        ),
        (
            #"{"T":"2026-11-26T12:00:00.5Z","QH":"secret.example","QT":"A","IP":"203.0.113.9"}"#,
            ["secret", "203.0.113.9"]
        ),
        (
            "what nobody knows: sécret [2001:db8:77::5]:5353 203.0.113.9:53",
            ["nobody", "cret", "2001:db8:77", "203.0.113.9"]
        ),
    ])
    func neitherNamesNorAddressesStay(line: String, gone: [String]) throws {
        let replaced = try replaced(line)
        for word in gone { #expect(!replaced.contains(word), "\(replaced)") }
    }

    @Test func whatTheFormatsSayStays() throws {
        let line = try replaced("Nov 26 12:00:00 dnsmasq[612]: query[AAAA] www.example.org from 127.0.0.1")
        #expect(line.hasPrefix("Nov 26 12:00:00 dnsmasq[612]: query[AAAA] "))
        #expect(line.hasSuffix(" from 127.0.0.1"))
        #expect(
            line.utf8.count == "Nov 26 12:00:00 dnsmasq[612]: query[AAAA] www.example.org from 127.0.0.1".utf8.count)
    }

    @Test(arguments: RecordedLog.names)
    func theLogOfAResolverCountsAsBefore(name: String) throws {
        let privacy = try privacy()
        let lines = try RecordedLog.lines(name)
        let before = CountedLog([lines])
        let after = CountedLog([lines.map { line in line.withUnsafeBytes { privacy.replacing($0) } }])
        #expect(after.format == before.format)
        #expect(after.lines == before.lines)
        #expect(after.unparsed == before.unparsed)
        #expect(after.queries == before.queries)
        #expect(after.responses == before.responses)
        #expect(after.dropped == before.dropped)
        #expect(after.codes == before.codes)
        #expect(after.types == before.types)
        #expect(after.transports == before.transports)
        #expect(after.families == before.families)
        #expect(after.clients.values.sorted() == before.clients.values.sorted())
        #expect(
            Set(after.clients.keys).subtracting(before.clients.keys).count
                >= before.clients.keys.count { !$0.hasPrefix("127.") && $0 != "::1" })
    }

    @Test func noBytesEndTheProcess() throws {
        let privacy = try privacy()
        var random = SeededGenerator(seed: 115)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...80, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            _ = bytes.withUnsafeBytes { privacy.replacing($0) }
        }
    }
}
