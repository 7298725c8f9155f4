import Foundation
import Testing

/// Shipped examples for servers that cannot run here: what they send is what such a server asks for.
struct ExampleTests {
    /// Runs an example against a receiver that has written every sample, until it has sent something.
    private static func requests(of example: String) async throws -> [ScriptedReceiver.Exchange] {
        var exchanges: [ScriptedReceiver.Exchange] = []
        try await Workspace.use { workspace in
            let taken = ScriptedReceiver.Step.answer(
                204, headers: ["X-Prometheus-Remote-Write-Samples-Written: 1000000"])
            try await ScriptedReceiver.use([taken]) { receiver in
                let text = try Checkout.text("config/examples/\(example).yaml")
                let url = try #require(text.firstMatch(of: /https:\/\/[a-z.]+/)).output
                let password = try workspace.write("password", "open-sesame\n")
                let agent = try workspace.startAgent(
                    text.replacing(url, with: "http://127.0.0.1:\(receiver.port)")
                        .replacing("/var/lib/sonde", with: workspace.path("state"))
                        .replacing("/etc/sonde/password", with: password)
                        .replacing("interval: 10s", with: "interval: 200ms")
                        .replacing("wait: 60s", with: "wait: 1s")
                        // The certificates of a host that does not exist cannot be made here.
                        .replacing("format: prometheus", with: "allow_insecure: true\n    format: prometheus"))
                try await agent.wait(until: "two requests") { receiver.exchanges.count >= 2 }
                #expect(try await agent.stop() == .exited(0))
                exchanges = receiver.exchanges
            }
        }
        return exchanges
    }

    @Test func mimirGetsItsTenantAtThePathOfPushes() async throws {
        let requests = try await Self.requests(of: "mimir")
        #expect(Set(requests.map { $0.headers["x-scope-orgid"] }) == ["network"])
        #expect(Set(requests.map { $0.headers["x-prometheus-remote-write-version"] }) == ["2.0.0"])
        #expect(Set(requests.map { $0.headers["content-encoding"] }) == ["snappy"])
    }

    @Test func aHostedServiceGetsUserAndPassword() async throws {
        let requests = try await Self.requests(of: "hosted")
        let expected = "Basic " + Data("123456:open-sesame".utf8).base64EncodedString()
        #expect(Set(requests.map { $0.headers["authorization"] }) == [expected])
    }
}
