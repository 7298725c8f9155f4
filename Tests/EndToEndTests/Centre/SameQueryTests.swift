import Testing

/// One agent, two ways into one VictoriaMetrics: remote write and OTLP.
struct SameQueryTests {
    /// Every series of the log: what the agent says of itself arrives by each way at times of its own (`OwnSeries`).
    private static let logged = #"{__name__!="",__name__!~"sonde_(agent|source|sink)_.*",via="VIA"}"#

    /// Queries, and how many series each finds at least.
    private static let queries = [
        // Every series with its labels, but for those that say who sent it, and its value.
        ("label_del(\(logged), \"via\")", 200),
        ("count by (__name__) (\(logged))", 50),
        (#"sum by (network_interface_name, network_io_direction) (system_network_io_bytes_total{via="VIA"})"#, 2),
        (#"sum by (le) (acme_latency_seconds_bucket{via="VIA"})"#, 4),
        (#"sum by (site) (increase(acme_wrap_total{via="VIA"}[3s]))"#, 1),
    ]

    @Test(.enabled(if: MetricServer.Program.victoriaMetrics.isInstalled, "make servers"))
    func remoteWriteAndOTLPAreTheSameToAQuery() async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(.victoriaMetrics, workspace)
            let plugins = try await CPluginTests.compile("counts", in: workspace)
            let agent = try workspace.startAgent(
                """
                version: 1
                agent: { interval: 500ms, state_dir: \(workspace.path("state")), labels: { site: fra1 } }
                sources:
                  - { id: kernel, plugin: procnet, level: all, interval: 1s }
                  - { id: counts, plugin: counts }
                sinks:
                  - id: write
                    plugin: http
                    format: prometheus_remote_write
                    version: 1
                    url: http://\(server.address)/api/v1/write?extra_label=via=write
                  - id: otlp
                    plugin: http
                    format: otlp
                    url: http://\(server.address)/opentelemetry/v1/metrics?extra_label=via=otlp
                  - { id: lines, plugin: file, path: \(workspace.path("lines")) }

                """, pluginDirectories: [plugins])
            try await agent.wait(until: "a counter has wrapped") {
                agent.lines(in: "lines").count { $0.contains("acme.truth") } > 7
            }
            #expect(try await agent.stop() == .exited(0))
            #expect(!agent.log.contains("error"))
            let lines = agent.lines(in: "lines").filter { $0.contains("acme.truth") }
            var stored: [String: [MetricServer.Sample]] = [:]
            let end = ContinuousClock.now + .seconds(20)
            repeat {
                stored = try await server.samples(of: "acme_truth")
            } while ContinuousClock.now < end && stored.values.map(\.count) != [lines.count, lines.count]
            #expect(stored.values.map(\.count) == [lines.count, lines.count])
            try await server.showEverything()
            let time = try #require(stored.values.first?.last).milliseconds
            for (query, least) in Self.queries {
                let write = try await server.values(
                    of: query.replacing("VIA", with: "write"), time...time, step: 1_000)
                let otlp = try await server.values(of: query.replacing("VIA", with: "otlp"), time...time, step: 1_000)
                #expect(write.count >= least, "\(query)")
                let differing = Set(write.keys).union(otlp.keys).filter { write[$0] != otlp[$0] }
                #expect(differing.isEmpty, "\(query)")
            }
            let write = try await collections(by: "write", server)
            let otlp = try await collections(by: "otlp", server)
            #expect(write.count >= 2)
            #expect(write == otlp)
        }
    }

    /// The series that count collections, however late they came.
    private func collections(by way: String, _ server: MetricServer) async throws -> Set<String> {
        let stored = try await server.samples(of: "sonde_source_collection_count_total{via=\"\(way)\"}")
        return Set(stored.keys.map { $0.replacing("via=\"\(way)\"", with: "") })
    }
}
