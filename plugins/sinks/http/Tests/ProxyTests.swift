import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// A proxy between the sink and the receiver.
@Suite struct ProxyTests {
    @Test func aProxyThatWantsCredentialsIsAConfigurationError() throws {
        try FaultServer.run(Answer.status(407, ["Proxy-Authenticate: Basic realm=x"])) { proxy in
            let options: [String: FakeHost.Option] = [
                "proxy": .string("http://127.0.0.1:\(proxy.port)"), "auth.bearer": .string("token-0123456789"),
                "headers": .map([Attribute("X-Key", "key-abcdefgh")]),
            ]
            let error = try SinkDriver("https://192.0.2.1/x", options).failure()
            #expect(error.code == "SND-HTTP407")
            #expect(error.failureClass == .accessRefused)
            #expect(error.message == "HTTP 407 from the proxy on the way to https://192.0.2.1/x")
            let request = try #require(proxy.requests.first)
            #expect(request.line == "CONNECT 192.0.2.1:443 HTTP/1.1")
            #expect(request.header("Authorization") == nil)
            #expect(request.header("X-Key") == nil)
            #expect(request.header("Sonde-Batch") == nil)
        }
    }

    /// What a format says of statuses is about its receivers: one in OTLP may not be sent again after a 500 of its receiver.
    @Test(arguments: ["json", "otlp"], [500, 503])
    func aProxyThatFailsIsTransient(format: String, status: Int) throws {
        try FaultServer.run(Answer.status(status)) { proxy in
            let options: [String: FakeHost.Option] = [
                "proxy": .string("http://127.0.0.1:\(proxy.port)"), "format": .string(format),
            ]
            let error = try SinkDriver("https://192.0.2.1/x", options).failure()
            #expect(error.code == "SND-HTTP\(status)")
            #expect(error.failureClass == .transient)
        }
    }
}
