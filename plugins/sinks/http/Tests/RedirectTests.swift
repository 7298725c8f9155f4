import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Redirects: never followed, and no secret goes along.
@Suite struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectIsAConfigurationErrorAndTheOtherServerHearsNothing(status: Int) throws {
        try FaultServer.run(Answer.status(204)) { other in
            let elsewhere = "Location: \(other.url)?token=abc"
            try FaultServer.run(Answer.status(status, [elsewhere])) { first in
                let options: [String: FakeHost.Option] = [
                    "auth.bearer": .string("token-0123456789"), "allow_insecure": .bool(true),
                ]
                let error = try SinkDriver(first.url, options).failure()
                #expect(error.code == "SND-HTTP\(status)")
                #expect(error.failureClass == .configuration)
                #expect(error.message == "HTTP \(status) Words from \(first.url) to \(other.url)")
                #expect(first.requests.map { $0.header("Authorization") } == ["Bearer token-0123456789"])
                #expect(other.connectionCount == 0)
            }
        }
    }

    @Test func aRedirectToAFileIsAConfigurationError() throws {
        try FaultServer.run(Answer.status(302, ["Location: file:///etc/passwd"])) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.code == "SND-HTTP302")
            #expect(error.failureClass == .configuration)
            #expect(server.requests.count == 1)
        }
    }
}
