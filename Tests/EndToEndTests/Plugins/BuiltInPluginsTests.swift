import Foundation
import Testing

/// What ships, in the static flavour: the daemon's own plugins inside of it, and foreign objects beside them.
@Suite(.enabled(if: Checkout.hasBuiltInPlugins)) struct BuiltInPluginsTests {
    private static func configuration(
        _ workspace: Workspace, interval: String = "100ms", _ source: String, _ sink: String = ""
    ) -> String {
        """
        version: 1
        agent: { interval: \(interval), control_socket: \(workspace.path("socket")) }
        sources: [{ id: kernel, plugin: procnet, tables: [dev]\(source) }]
        sinks: [{ id: local, plugin: file, path: \(workspace.path("local"))\(sink) }]

        """
    }

    /// A library is mapped for the plugin that is made around it, and for no other.
    @Test func noLibraryOfAPluginIsMappedThatIsNotUsed() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace, ""))
            try await agent.waitForLines(in: "local")
            let maps = try String(contentsOfFile: "/proc/\(agent.process.processID)/maps", encoding: .utf8)
            #expect(["libswiftCore", "libcurl", "libpcap", "librdkafka", "libmicrohttpd"].filter(maps.contains) == [])
        }
    }

    /// The child of a built-in plugin is the same program, which has the plugin inside as well.
    @Test func aBuiltInPluginRunsInAProcessOfItsOwn() async throws {
        try await Workspace.use { workspace in
            let apart = ", isolation: process"
            let agent = try workspace.startAgent(Self.configuration(workspace, apart, apart))
            try await agent.waitForLines(in: "local")
        }
    }

    /// It has a runtime of its own, which the agent's must not be mixed with.
    @Test func aForeignPluginInSwiftRunsInTheAgentsProcess() async throws {
        try await Workspace.use { workspace in
            let directory = ["--plugin-dir", Checkout.buildFolder]
            // A call may take an interval, beside other tests too.
            let configuration = Self.configuration(workspace, interval: "2s", ", isolation: in_process")
            let file = try workspace.write("sonde.yaml", configuration)
            let result = try await workspace.run(
                [Checkout.sonde, "once", "-c", file, "--format", "json"] + directory)
            #expect(result.end == .exited(0), "\(result.errors)")
            #expect(result.output.contains("system.network.io"))
            let list = try await workspace.run([Checkout.sonde, "plugins", "describe", "procnet"] + directory)
            #expect(list.output.contains("libprocnet.so"), "\(list.output)")
        }
    }
}
