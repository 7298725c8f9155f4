import Glibc
import Testing

/// What a start does for the agent that was killed before it.
@Suite struct KillTests {
    private static func configuration(_ workspace: Workspace, _ sources: String) -> String {
        """
        version: 1
        agent: { interval: 100ms, state_dir: \(workspace.path("state")), shutdown_grace: 2s }
        sources:
        \(sources)
        sinks:
          - { id: seen, plugin: endings, batch: { wait: 20ms } }

        """
    }

    @Test func seriesThatAreNotReadAnyMoreAfterAKillHaveEnded() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("endings", in: workspace)
            let proc = Checkout.proc("container")
            let first = try workspace.startAgent(
                Self.configuration(
                    workspace,
                    """
                      - { id: kernel, plugin: procnet, level: all, proc: \(proc), tables: [dev, sockstat] }
                      - { id: second, plugin: procnet, level: all, proc: \(proc), tables: [snmp], labels: { part: second } }
                    """), pluginDirectories: [folder])
            for kind in ["system.network.io", "sonde.kernel.sockstat", "second"] {
                try await first.waitForLog("a point of \(kind)")
            }
            #expect(!first.log.contains("the end of"))
            first.process.send(SIGKILL)
            _ = try await first.process.waitForEnd(within: .seconds(10))

            let second = try workspace.startAgent(
                Self.configuration(
                    workspace, "  - { id: kernel, plugin: procnet, level: all, proc: \(proc), tables: [dev] }"),
                pluginDirectories: [folder])
            // A source that is gone, and a table that is not read any more.
            try await second.waitForLog("the end of second")
            try await second.waitForLog("the end of sonde.kernel.sockstat")
            #expect(!second.log.contains("the end of system.network.io"))
            #expect(try await second.stop() == .exited(0))
        }
    }
}
