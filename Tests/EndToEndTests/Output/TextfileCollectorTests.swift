import Foundation
import Glibc
import Testing

/// The page of the file sink, read by the real node_exporter.
struct TextfileCollectorTests {
    private static let program = MetricServer.folder + "/programs/usr/bin/prometheus-node-exporter"

    @Test func inContinuousIntegrationNodeExporterIsThere() {
        guard ProcessInfo.processInfo.environment["CI"] != nil else { return }
        #expect(access(Self.program, X_OK) == 0)
    }

    @Test(.enabled(if: access(program, X_OK) == 0, "make servers"))
    func nodeExporterShowsWhatTheAgentHasWritten() async throws {
        try await Workspace.use { workspace in
            let folder = try workspace.makeFolder("textfile")
            let agent = try workspace.startAgent(
                """
                version: 1
                agent: { interval: 500ms }
                sources: [{ id: kernel, plugin: procnet, level: all }]
                sinks:
                  - { id: page, plugin: file, path: \(folder)/sonde.prom, format: prometheus_textfile, mode: "0644" }
                  - { id: lines, plugin: file, path: \(workspace.path("lines")) }

                """)
            try await agent.waitForTimes(4, in: "lines")
            let (holder, port) = try Loopback.reservedPort()
            close(holder)
            _ = try workspace.start(
                [
                    Self.program, "--collector.disable-defaults", "--collector.textfile",
                    "--collector.textfile.directory=\(folder)", "--web.listen-address=127.0.0.1:\(port)",
                ], as: "exporter")
            try await eventually("node_exporter answers") { Loopback.answers(port) }
            let page = { () async throws -> String in
                let url = "http://127.0.0.1:\(port)/metrics"
                return try await workspace.run(["/usr/bin/curl", "-sS", "--max-time", "10", url]).output
            }
            // While the page is replaced twice a second it is never found half.
            for _ in 0..<10 {
                #expect(try await page().contains("\nnode_textfile_scrape_error 0\n"))
            }
            #expect(try await agent.stop() == .exited(0))
            let shown = Set(try await page().split(separator: "\n").filter { !$0.hasPrefix("#") })
            let written = workspace.read("textfile/sonde.prom").split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(written.count > 300)
            let families = Set(shown.map { $0.prefix { $0 != "{" && $0 != " " } })
            #expect(Set(written.map { $0.prefix { $0 != "{" && $0 != " " } }).subtracting(families) == [])
        }
    }
}
