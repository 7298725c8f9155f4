import Foundation
import Testing

/// Bodies of OTLP, read by code that is generated from the official definitions.
struct OTLPBodyTests {
    @Test(
        .enabled(if: Python.withOTLP != nil, "make servers"),
        arguments: [("gzip", "protobuf"), ("none", "protobuf"), ("gzip", "json"), ("none", "json")])
    func generatedCodeReadsWhatTheFileSinkHas(compression: String, encoding: String) async throws {
        let python = try #require(Python.withOTLP)
        try await ScriptedReceiver.use([.answer(200)]) { receiver in
            try await Workspace.use { workspace in
                let agent = try workspace.startAgent(
                    """
                    version: 1
                    agent:
                      interval: 1s
                      state_dir: \(workspace.path("state"))
                      labels: { site: fra1 }
                    sources:
                      - { id: kernel, plugin: procnet, level: all, labels: { rack: "a\\"b,c=\\\\ 🧪" } }
                    sinks:
                      - id: otlp
                        plugin: http
                        format: otlp
                        url: "\(receiver.url)"
                        metrics: \(OwnSeries.excluded)
                        compression: \(compression)
                        encoding: \(encoding)
                      - { id: lines, plugin: file, path: \(workspace.path("lines")), metrics: \(OwnSeries.excluded) }

                    """)
                try await agent.waitForTimes(4, in: "lines")
                try await eventually("three requests came") { receiver.exchanges.count > 2 }
                #expect(try await agent.stop() == .exited(0))
                #expect(!agent.log.contains("error"))
                let exchanges = receiver.exchanges
                let bodies = try exchanges.enumerated().map { index, exchange in
                    let type = encoding == "json" ? "application/json" : "application/x-protobuf"
                    #expect(exchange.headers["content-type"] == type)
                    #expect(exchange.headers["content-encoding"] == (compression == "none" ? nil : compression))
                    let file = workspace.path("body\(index)")
                    try Data(exchange.body).write(to: URL(filePath: file))
                    return file
                }
                let script = Checkout.path("Tests/EndToEndTests/Fixtures/otlp.py")
                let result = try await workspace.run([python, "-B", script, workspace.path("lines")] + bodies)
                #expect(result.end == .exited(0), "\(result.output)\(result.errors)")
                #expect(result.output.hasPrefix("the same"))
            }
        }
    }
}
