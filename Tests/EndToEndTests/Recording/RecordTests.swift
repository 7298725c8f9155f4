import Foundation
import Testing

/// `sonde record` on this machine, and what a replay makes of it.
@Suite struct RecordTests {
    @Test func whatIsRecordedHereCanBePlayed() async throws {
        try await Workspace.use { workspace in
            let log = try workspace.write("queries.log", "")
            let file = try workspace.write(
                "sonde.yaml",
                """
                version: 1
                sources:
                  - { id: kernel, plugin: procnet, interval: 1s, sockets: detail }
                  - { id: resolver, plugin: dnslog, interval: 1s, format: dnsmasq, path: \(log) }
                sinks:
                  - { id: console, plugin: stdout, format: json }

                """)
            // Until it is recorded: a source that starts late reads from the end on. A process of its own, as tasks wait for
            // the threads of other tests.
            let writer = try workspace.start(
                [
                    "/bin/sh", "-c",
                    """
                    while :; do
                        n=$((n + 1))
                        echo "Nov 26 12:00:00 dnsmasq[1]: query[A] secret$n.example from 203.0.113.9" >> "$0"
                        sleep 0.1
                    done
                    """, log,
                ], as: "writer")
            let folder = workspace.path("fault")
            let recorded = try await workspace.sonde("record", folder, "-c", file, "--for", "4s")
            #expect(recorded.end == .exited(0), "\(recorded.errors)")
            writer.kill()
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/recording"))
            for gone in ["secret", "203.0.113.9"] { #expect(bytes.range(of: Data(gone.utf8)) == nil) }
            let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
            #expect(mode == 0o700)

            let first = try await workspace.sonde("replay", folder, "-c", "\(folder)/sonde.yaml")
            let second = try await workspace.sonde("replay", folder, "-c", "\(folder)/sonde.yaml")
            #expect(first.end == .exited(0), "\(first.errors)")
            #expect(first.output == second.output)
            for part in [
                #""name":"system.network.io""#, #""name":"sonde.dns.resolver.query.count""#, #""host":"recording""#,
            ] {
                #expect(first.output.contains(part), "\(first.errors)")
            }

            let again = try await workspace.sonde("record", folder, "-c", file)
            #expect(again.end == .exited(1))
            #expect(again.errors.contains("SND-REC003"))
        }
    }

    @Test func aRecordingEndsAtItsSize() async throws {
        try await Workspace.use { workspace in
            let folder = workspace.path("small")
            let recorded = try await workspace.sonde("record", folder, "--size", "20KiB", "--for", "1h")
            #expect(recorded.end == .exited(0), "\(recorded.errors)")
            #expect(recorded.errors.contains("left out"))
            let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/recording")[.size] as? Int
            #expect((size ?? .max) <= 20 << 10)
            #expect(try await workspace.sonde("replay", folder).end == .exited(0))
        }
    }
}
