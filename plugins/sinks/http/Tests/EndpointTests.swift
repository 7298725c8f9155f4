import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import HTTPPlugin

/// Receivers that are reached in another way than by the host of the URL.
@Suite struct EndpointTests {
    @Test func aUnixSocketIsAReceiver() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("receiver.sock")
        let server = try FaultServer([Answer.status(204)], socket: path)
        defer { server.shutDown() }
        let sink = try SinkDriver("unix://\(path):/api/v1/lines?a=b", ["proxy": .string("http://127.0.0.1:1")])
        #expect(try sink.deliver() == .completed)
        #expect(server.requests.map(\.line) == ["POST /api/v1/lines?a=b HTTP/1.1"])
        #expect(server.requests[0].header("Host") == "localhost")
    }

    @Test func aUnixSocketWithoutAReceiverIsNamed() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("none.sock")
        let error = try SinkDriver("unix://\(path):/x").failure()
        #expect(error.failureClass == .transient)
        #expect(error.message.contains("unix://\(path):/x"))
    }

    @Test(arguments: ["unix://relative:/x", "unix://", "unix:///" + String(repeating: "a", count: 107)])
    func aPathThatIsNoSocketIsRefused(_ url: String) {
        let error = #expect(throws: PluginError.self) { try SinkDriver.create(url) }
        #expect(error?.code == "SND-URL001")
    }

    @Test func whatIsShownOfASocketHasNoQuery() throws {
        let endpoint = try Endpoint("unix:///run/a.sock:/write?token=secret", option: "url")
        #expect(endpoint.display == "unix:///run/a.sock:/write")
        #expect(endpoint.text == "http://localhost/write?token=secret")
        #expect(endpoint.secrets.contains("secret"))
        #expect(try Endpoint("unix:///run/a.sock", option: "url").text == "http://localhost/")
    }

    @Test func theNameOfTheServerReplacesThatOfTheURLInItsCertificate() throws {
        guard TestProcess.path(of: "openssl") != nil, TestProcess.path(of: "nginx") != nil else { return }
        let authority = try CertificateAuthority()
        let identity = try authority.issue("named", for: "DNS:metrics.example.net")
        let receiver = try NginxReceiver(
            tls: ["ssl_certificate \(identity.certificate);", "ssl_certificate_key \(identity.key);"])
        defer { receiver.end() }
        func options(_ name: String) -> [String: FakeHost.Option] {
            ["tls.ca_file": .string(authority.file), "tls.server_name": .string(name)]
        }
        #expect(try SinkDriver(receiver.url("https"), options("metrics.example.net")).deliver() == .completed)
        #expect(try SinkDriver(receiver.url("https"), options("other.example.net")).failure().code == "SND-TLS003")
    }

    @Test(arguments: ["", "a b", "a/b", "a:1"])
    func aNameOfAServerThatIsNoneIsRefused(_ name: String) {
        let error = #expect(throws: PluginError.self) {
            try SinkDriver.create("https://h.example/", ["tls.server_name": .string(name)])
        }
        #expect(error?.optionPath == "tls.server_name")
    }

    @Test(arguments: [
        ("https://h.example/x", "h.example"), ("https://h.example:8443/x", "h.example:8443"),
        ("https://[::1]:443/x", "[::1]"), ("http://h.example:443/x", "h.example:443"),
    ])
    func theHostFieldIsThatOfTheURL(_ url: String, _ host: String) throws {
        #expect(try Endpoint(url, option: "url").hostField == host)
    }
}
