import Foundation
import Testing

/// Standard streams that are closed or cannot be written.
@Suite struct ClosedStreamTests {
    private static let arguments = Workspace.pluginDirectory.joined(separator: " ")

    @Test func theNumbersOfClosedStreamsAreNotTakenByFiles() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "sonde.yaml",
                """
                version: 1
                agent: { interval: 100ms }
                sources: [{ id: kernel, plugin: procnet, level: all }]
                sinks:
                  - { id: disk, plugin: file, path: "\(workspace.path("disk.ndjson"))" }
                  - { id: dead, plugin: http, url: "http://127.0.0.1:9/" }

                """
            )
            let command = "exec \(Checkout.sonde) run -c \(file) \(Self.arguments) <&- >&- 2>&-"
            let process = try workspace.start(["/bin/sh", "-c", command], as: "agent")
            let agent = Agent(process: process, workspace: workspace)
            try await agent.waitForTimes(3, in: "disk.ndjson")
            let targets = (0...2).map { number in
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.processID)/fd/\(number)")
            }
            #expect(targets == ["/dev/null", "/dev/null", "/dev/null"])
            #expect(try await agent.stop() == .exited(0))
            #expect(agent.lines(in: "disk.ndjson").allSatisfy { (try? PointLine($0)) != nil })
        }
    }

    @Test(arguments: ["config show", "once --format json", "plugins list", "plugins describe file"])
    func aCommandWhoseOutputFindsNoRoomSaysSo(_ arguments: String) async throws {
        try await Workspace.use { workspace in
            let command = "exec \(Checkout.sonde) \(arguments) \(Self.arguments) >/dev/full"
            let result = try await workspace.run(["/bin/sh", "-c", command])
            #expect(result.end == .exited(1))
            #expect(result.errors == "error: cannot write to standard output: No space left on device\n")
        }
    }
}
