import Testing

/// Libraries that pack are loaded by agents that need them.
///
/// Of libzstd it cannot be seen where libcurl needs it too, as in Debian.
struct LoadedLibraryTests {
    @Test(arguments: ["json", "influx", "prometheus_remote_write"])
    func libsnappyIsMappedWhereItPacksAndNowhereElse(format: String) async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use([.answer(204)]) { receiver in
                let agent = try workspace.startAgent(
                    """
                    version: 1
                    agent: { interval: 100ms, host: probe-1 }
                    sources: [{ id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }]
                    sinks: [{ id: web, plugin: http, url: "\(receiver.url)", format: \(format), batch: { wait: 20ms } }]

                    """)
                try await agent.wait(until: "a batch was sent") { !receiver.exchanges.isEmpty }
                // Foundation reads a part of a file of /proc only: its length is not known before.
                let maps = try await workspace.run(["/usr/bin/cat", "/proc/\(agent.process.processID)/maps"]).output
                #expect(maps.contains("libcurl"))
                #expect(maps.contains("libsnappy") == (format == "prometheus_remote_write"))
            }
        }
    }
}
