import Foundation
import Testing

/// `sonde once`: what sources read in a second.
@Suite struct OnceTests {
    @Test func whereOneSourceFailsWhatTheOthersReadIsPrinted() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "sonde.yaml",
                """
                version: 1
                sources:
                  - { id: good, plugin: exec, command: ["/bin/echo", '{"name":"acme.depth","value":7}'], format: json }
                  - { id: bad, plugin: exec, command: ["/bin/sh", "-c", "exit 2"], format: json }
                sinks: [{ id: out, plugin: stdout }]
                """)
            let result = try await workspace.sonde("once", "-c", file)
            #expect(result.end == .exited(1))
            #expect(result.output.contains("acme.depth"), "\(result.output) \(result.errors)")
            #expect(result.errors.contains("bad"))
        }
    }
}
