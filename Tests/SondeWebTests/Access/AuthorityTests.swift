import Testing

@testable import SondeWeb

@Suite struct AuthorityTests {
    @Test(arguments: [
        ("localhost", "localhost", nil), ("LocalHost:8787", "localhost", 8_787), ("127.0.0.1:1", "127.0.0.1", 1),
        ("[::1]", "::1", nil), ("[FE80::1]:443", "fe80::1", 443), ("probe.example.net", "probe.example.net", nil),
        ("probe_1:0", "probe_1", 0),
    ])
    func aHostAndAPortAreRead(_ text: String, _ host: String, _ port: Int?) {
        let authority = Authority(text)
        #expect(authority?.host == host)
        #expect(authority?.port == port)
    }

    @Test(arguments: [
        "", ":", ":80", "a b", "a/b", "user@host", "host:", "host:x", "host:65536", "host:-1", "[::1", "[host]",
        "[127.0.0.1]",
        "[::1]x", "::1", "1:2:3", "h\u{0}", "höst", "[]",
    ])
    func whatIsNeitherIsRefused(_ text: String) {
        #expect(Authority(text) == nil)
    }

    @Test func loopbackIsToldFromTheRest() {
        for host in ["localhost", "127.0.0.1", "127.8.9.1", "::1"] { #expect(Authority.isLoopback(host), "\(host)") }
        for host in ["127.evil.example", "0.0.0.0", "::", "192.0.2.1", "localhost.example"] {
            #expect(!Authority.isLoopback(host), "\(host)")
        }
    }
}
