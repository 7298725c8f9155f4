import HTTPTypes
import Testing

@testable import SondeWeb

@Suite struct AccessRulesTests {
    private let rules = AccessRules(names: ["localhost", "probe.example.net"], isEncrypted: false, looking: .isFree)

    private func request(
        _ host: String?, _ fields: [(String, String)] = [], method: HTTPRequest.Method = .get
    ) -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: "http", authority: host, path: "/events")
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { request.headerFields.append(HTTPField(name: name, value: value)) }
        }
        return request
    }

    @Test func ownNamesAndTheAddressOfTheConnectionAreAnswered() {
        for host in ["localhost:8787", "probe.example.net", "Probe.Example.Net:1", "192.0.2.7:8787"] {
            #expect(rules.isAddressed(request(host), at: "192.0.2.7"), "\(host)")
        }
        for host in ["evil.example", "192.0.2.8", "", nil] {
            #expect(!rules.isAddressed(request(host), at: "192.0.2.7"), "\(host ?? "none")")
        }
        #expect(!rules.isAddressed(request("localhost", [("Host", "evil.example")]), at: nil))
    }

    @Test func whatAPageOfAnotherSiteSendsIsKnown() {
        let own = [("Origin", "https://localhost:8787"), ("Sec-Fetch-Site", "same-origin")]
        #expect(rules.isFromOwnPage(request("localhost:8787", own, method: .post)))
        #expect(rules.isFromOwnPage(request("localhost:8787", method: .post)), "programs send neither")
        #expect(rules.isFromOwnPage(request("localhost", [("Sec-Fetch-Site", "none")])))
        for field in [
            ("Origin", "null"), ("Origin", "http://localhost"), ("Origin", "http://localhost:8787.evil.example"),
            ("Origin", "file://localhost:8787"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
            ("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", ""),
        ] {
            #expect(!rules.isFromOwnPage(request("localhost:8787", [field], method: .post)), "\(field)")
        }
    }
}
