import Foundation
import Testing

/// Bodies of remote write, read by code that is generated from the official definitions.
struct RemoteWriteBodyTests {
    @Test(.enabled(if: Python.withRemoteWrite != nil, "make servers"), arguments: [1, 2])
    func generatedCodeReadsWhatTheFileSinkHas(version: Int) async throws {
        let python = try #require(Python.withRemoteWrite)
        let taken = ScriptedReceiver.Step.answer(
            204, headers: ["X-Prometheus-Remote-Write-Samples-Written: 1000000"])
        try await ScriptedReceiver.use([taken]) { receiver in
            try await Workspace.use { workspace in
                let plugins = try await CPluginTests.compile("counts", in: workspace)
                // A clock that is ahead, so that what families mean is sent at once instead of some time in ten minutes.
                let agent = try workspace.startAgent(
                    """
                    version: 1
                    agent:
                      interval: 500ms
                      state_dir: \(workspace.path("state"))
                      labels: { site: fra1 }
                    sources:
                      - { id: kernel, plugin: procnet, level: all, interval: 1s, labels: { rack: "a\\"b,c=\\\\ 🧪" } }
                      - { id: counts, plugin: counts, ahead: true }
                    sinks:
                      - id: central
                        plugin: http
                        format: prometheus_remote_write
                        version: \(version)
                        url: "\(receiver.url)"
                        metrics: \(OwnSeries.excluded)
                      - { id: lines, plugin: file, path: \(workspace.path("lines")), metrics: \(OwnSeries.excluded) }

                    """, pluginDirectories: [plugins])
                try await agent.wait(until: "a counter has wrapped and another one started again") {
                    agent.lines(in: "lines").count { $0.contains("acme.truth") } > 7
                }
                #expect(try await agent.stop() == .exited(0))
                #expect(!agent.log.contains("error"))
                let exchanges = receiver.exchanges
                #expect(exchanges.count > 2)
                let bodies = try exchanges.enumerated().map { index, exchange in
                    #expect(exchange.headers["content-encoding"] == "snappy")
                    let file = workspace.path("body\(index)")
                    try Data(exchange.packed).write(to: URL(filePath: file))
                    return file
                }
                let script = Checkout.path("Tests/EndToEndTests/Fixtures/remote_write.py")
                let result = try await workspace.run(
                    [python, "-B", script, "\(version)", workspace.path("lines")] + bodies)
                #expect(result.end == .exited(0), "\(result.output)\(result.errors)")
                #expect(result.output.hasPrefix("the same"))
            }
        }
    }
}
