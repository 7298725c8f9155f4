import Foundation
import HTTPPlugin
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Options that `create` refuses: each names the option.
@Suite struct ConfigurationTests {
    private static let secure = "https://metrics.example.net/ingest"

    private func refusal(_ url: String = secure, _ options: [String: FakeHost.Option] = [:]) throws -> PluginError {
        try #require(throws: PluginError.self) { _ = try SinkDriver.create(url, options) }
    }

    @Test(arguments: [
        "", "metrics.example.net/ingest", "file:///etc/passwd", "ftp://h/", "https://", "https:///path",
        "http://h:99999/",
        "https://user@h/", "https://user:password@h/", "https://h/a b", "https://h/\u{0}", "https://h/\r\nX: y",
        "https://h/ä", "https://ä/", "javascript:alert(1)", "https://h/\u{7f}",
    ])
    func aURLThatCannotBeUsedIsRefused(url: String) throws {
        let error = try refusal(url)
        #expect(error.code == "SND-URL001")
        #expect(error.failureClass == .configuration)
        #expect(error.optionPath == "url")
        #expect(!error.hint.isEmpty)
        #expect(!error.message.contains("password@"))
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\nb", "a\u{0}b", "a\tb", "caf\u{e9}", "a\u{7f}"])
    func aHeaderValueThatCouldDoHarmIsRefused(value: String) throws {
        let error = try refusal(Self.secure, ["headers": .map([Attribute("X-Fine", "1"), Attribute("X-Bad", value)])])
        #expect(error.code == "SND-HDR001")
        #expect(error.optionPath == "headers.X-Bad")
        #expect(!error.message.contains(value))
    }

    @Test(arguments: ["", "X Y", "X:", "X\r\nY", "Ä"])
    func aHeaderNameThatIsNoneIsRefused(name: String) throws {
        let error = try refusal(Self.secure, ["headers": .map([Attribute(name, "1")])])
        #expect(error.code == "SND-HDR001")
        #expect(error.optionPath.hasPrefix("headers."))
    }

    @Test(arguments: [
        "Content-Type", "content-length", "HOST", "Transfer-Encoding", "Connection", "Expect", "User-Agent",
        "Sonde-Batch", "sonde-anything", "Retry-Attempt", "Proxy-Authorization",
    ])
    func aHeaderThatTheSinkWritesIsRefused(name: String) throws {
        let error = try refusal(Self.secure, ["headers": .map([Attribute(name, "1")])])
        #expect(error.code == "SND-HDR001")
        #expect(error.optionPath == "headers.\(name)")
    }

    @Test func authorizationIsRefusedBesideAuth() throws {
        let options: [String: FakeHost.Option] = [
            "auth.bearer": .string("t"), "headers": .map([Attribute("authorization", "x")]),
        ]
        #expect(try refusal(Self.secure, options).optionPath == "headers.authorization")
        _ = try SinkDriver.create(Self.secure, ["headers": .map([Attribute("Authorization", "Custom x")])])
    }

    @Test func aHeaderThatIsSetTwiceIsRefused() throws {
        let error = try refusal(Self.secure, ["headers": .map([Attribute("X-A", "1"), Attribute("x-a", "2")])])
        #expect(error.optionPath == "headers.x-a")
    }

    @Test(arguments: ["", "to ken", "token\n", "tok\u{e9}n", "\u{feff}token", "a\u{0}"])
    func aTokenThatCannotBeOneIsRefused(token: String) throws {
        let error = try refusal(Self.secure, ["auth.bearer": .string(token)])
        #expect(error.code == "SND-AUT001")
        #expect(error.optionPath == "auth.bearer")
        #expect(token.isEmpty || !error.message.contains(token))
    }

    private static let halves: [(options: [String: FakeHost.Option], path: String)] = [
        (["auth.basic.username": .string("u")], "auth.basic.password"),
        (["auth.basic.password": .string("p")], "auth.basic.username"),
        (["auth.basic.username": .string("u:v"), "auth.basic.password": .string("p")], "auth.basic.username"),
        (["auth.basic.username": .string("u"), "auth.basic.password": .string("p\n")], "auth.basic.password"),
        (
            ["auth.basic.username": .string("u"), "auth.basic.password": .string("p"), "auth.bearer": .string("t")],
            "auth.bearer"
        ),
    ]

    @Test(arguments: halves)
    func credentialsThatDoNotFitTogetherAreRefused(options: [String: FakeHost.Option], path: String) throws {
        let error = try refusal(Self.secure, options)
        #expect(error.code == "SND-AUT001")
        #expect(error.optionPath == path)
    }

    private static let open: [(options: [String: FakeHost.Option], path: String)] = [
        (["auth.bearer": .string("t")], "auth.bearer"),
        (["auth.basic.username": .string("u"), "auth.basic.password": .string("p")], "auth.basic.password"),
        (["headers": .map([Attribute("X-API-Key", "k")])], "headers.X-API-Key"),
        (["headers": .map([Attribute("X-License-Key", "k")])], "headers.X-License-Key"),
    ]

    @Test(arguments: open)
    func credentialsInTheOpenAreRefusedUnlessAllowed(options: [String: FakeHost.Option], path: String) throws {
        let error = try refusal("http://h.example/?token=abc", options)
        #expect(error.code == "SND-AUT001")
        #expect(error.optionPath == path)
        #expect(error.message == "\(path) would travel unencrypted to http://h.example/")
        _ = try SinkDriver.create("http://h.example/", options.merging(["allow_insecure": .bool(true)]) { $1 })
        _ = try SinkDriver.create(Self.secure, options)
    }

    @Test(arguments: ["token", "api_key", "X-Sig", "p", "Code"])
    func aCredentialInTheQueryOfAnOpenURLIsRefusedUnlessAllowed(name: String) throws {
        let query = "?db=sonde&\(name)=abc"
        let error = try refusal("http://h.example/write\(query)")
        #expect(error.code == "SND-AUT001")
        #expect(error.optionPath == "url")
        #expect(
            error.message == "the parameter '\(name)' of url would travel unencrypted to http://h.example/write")
        _ = try SinkDriver.create("http://h.example/write\(query)", ["allow_insecure": .bool(true)])
        _ = try SinkDriver.create("https://h.example/write\(query)")
        _ = try SinkDriver.create("unix:///run/r.sock:/write\(query)")
        _ = try SinkDriver.create("http://h.example/write?db=sonde&\(name)=")
    }

    @Test(arguments: ["tls.ca_file", "tls.cert_file"])
    func aFileThatCannotBeReadIsRefused(option: String) throws {
        let error = try refusal(Self.secure, [option: .string("/nonexistent/ca.pem")])
        #expect(error.code == "SND-TLS001")
        #expect(error.optionPath == option)
        #expect(error.message == "\(option) '/nonexistent/ca.pem': No such file or directory")
        #expect(try refusal(Self.secure, [option: .string("/")]).message == "\(option) '/': not a regular file")
    }

    @Test func aKeyWithoutACertificateIsRefused() throws {
        let directory = try TemporaryDirectory()
        let error = try refusal(Self.secure, ["tls.key_file": .string(try directory.write("key.pem", "x"))])
        #expect(error.optionPath == "tls.cert_file")
    }

    @Test(arguments: ["proxy.example.net:3128", "ftp://p/", "http://u:p@proxy/", "http://pro xy/", "off"])
    func aProxyThatCannotBeUsedIsRefused(proxy: String) throws {
        let error = try refusal(Self.secure, ["proxy": .string(proxy)])
        #expect(error.code == "SND-URL001")
        #expect(error.optionPath == "proxy")
    }

    @Test(arguments: ["", "env", "http://p:3128", "https://p", "socks5://p:1080", "socks5h://p"])
    func aProxyThatCanBeUsedIsAccepted(proxy: String) throws {
        _ = try SinkDriver.create(Self.secure, ["proxy": .string(proxy)])
    }

    @Test func createMakesNoConnection() throws {
        try FaultServer.run(Answer.status(204)) { server in
            let sink = try SinkDriver(server.url)
            withExtendedLifetime(sink) { #expect(server.connectionCount == 0) }
        }
    }
}
