import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import ScrapePlugin

/// Options that are refused before anything is opened.
@Suite struct ScrapeConfigurationTests {
    private func refusal(_ options: [String: FakeHost.Option]) -> PluginError? {
        do {
            _ = try PluginHarness(sonde_plugin_scrape(), options: options)
            return nil
        } catch {
            return error as? PluginError
        }
    }

    @Test(arguments: [
        "127.0.0.1:9469", "127.8.0.1:1", "[::1]:65535", "unix:/run/sonde/scrape.sock",
    ])
    func whatOnlyThisHostReachesNeedsNothing(listen: String) throws {
        #expect(refusal(["listen": .string(listen)]) == nil)
        #expect(try ListenAddress(listen).isLocal)
    }

    @Test(arguments: ["0.0.0.0:9469", ":9469", "10.0.0.1:9469", "[::]:9469", "[fe80::1]:9469", "[::ffff:127.0.0.1]:1"])
    func whatOthersReachNeedsCertificateAndCredentials(listen: String) throws {
        #expect(try !ListenAddress(listen).isLocal)
        #expect(refusal(["listen": .string(listen)])?.code == ScrapeCode.access)
        #expect(refusal(["listen": .string(listen), "auth.bearer": .string("x")])?.code == ScrapeCode.access)
        #expect(refusal(["listen": .string(listen), "allow_insecure": .bool(true)]) == nil)
    }

    @Test(arguments: [
        "", "9469", "localhost:9469", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
        "127.0.0.1:000001", "1.2.3:80", "::1:80", "[::1:80", "unix:", "unix:relative",
        "unix:/" + String(repeating: "x", count: 107), "unix:/a\u{0}b", "[]:80", "[::1]80",
    ])
    func whatIsNoAddressIsRefused(listen: String) {
        let error = refusal(["listen": .string(listen)])
        #expect(error?.code == ScrapeCode.address && error?.optionPath == "listen")
    }

    @Test(arguments: [
        ("socket_mode", FakeHost.Option.string("0999")), ("socket_mode", .string("66")),
        ("socket_mode", .string("7777")),
        ("auth.bearer", .string("a b")), ("auth.bearer", .string("")), ("auth.basic.username", .string("u")),
        ("auth.basic.password", .string("p")), ("tls.cert_file", .string("/nowhere")), ("tls.key_file", .string("/x")),
        ("tls.cert_file", .string("/etc/passwd")), ("tls.cert_file", .string("/dev/zero")),
        ("tls.cert_file", .string("/etc")),
    ])
    func whatCannotBeUsedIsRefused(option: String, value: FakeHost.Option) {
        #expect(refusal([option: value])?.failureClass == .configuration)
    }

    @Test(arguments: ["metrics", "/metrics", "/healthz", "/", "/a b", "/a?b", "/" + String(repeating: "x", count: 256)])
    func aPathThatCannotBeServedIsRefused(path: String) {
        let entry: [String: FakeHost.Option] = ["path": .string(path), "metrics": .list(["*"])]
        #expect(refusal(["paths": .entries([entry])])?.optionPath == "paths[0].path")
        let good: [String: FakeHost.Option] = ["path": .string("/a"), "metrics": .list(["*"])]
        #expect(refusal(["paths": .entries([good])]) == nil)
        #expect(refusal(["paths": .entries([good, good])])?.optionPath == "paths[1].path")
    }
}
