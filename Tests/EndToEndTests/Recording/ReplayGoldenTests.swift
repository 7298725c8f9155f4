import Foundation
import Testing

/// A recording of a real host, of which each replay prints the same bytes.
@Suite struct ReplayGoldenTests {
    private static let recording = Checkout.path("Tests/EndToEndTests/Fixtures/Recording")

    private func replay(_ workspace: Workspace, _ sinks: String) async throws -> Workspace.Result {
        let sources = try Checkout.text("Tests/EndToEndTests/Fixtures/Recording/sonde.yaml")
            .prefix(
                upTo: #require(
                    try Checkout.text("Tests/EndToEndTests/Fixtures/Recording/sonde.yaml").range(of: "sinks:")?
                        .lowerBound))
        let file = try workspace.write("sonde.yaml", "\(sources)sinks:\n\(sinks)\n")
        return try await workspace.sonde("replay", Self.recording, "-c", file)
    }

    @Test func everyReplayPrintsTheSameBytes() async throws {
        try await Workspace.use { workspace in
            let sink = "  - { id: console, plugin: stdout, format: json, send: [metrics, snapshots] }"
            let first = try await replay(workspace, sink)
            let second = try await replay(workspace, sink)
            #expect(first.end == .exited(0), "\(first.errors)")
            #expect(!first.errors.contains("does not have"), "\(first.errors)")
            #expect(first.output == second.output)
            let names = Set(
                first.output.split(separator: "\n").compactMap { line in
                    line.firstMatch(of: #/"name":"([^"]*)"/#).map { String($0.output.1) }
                })
            let expected = [
                "system.network.io", "system.network.connections", "sonde.flow.io", "sonde.capture.packet.count",
                "sonde.dns.wire.query.count", "sonde.dns.resolver.query.count",
            ]
            for name in expected {
                #expect(names.contains(name), "\(names.sorted())")
            }
            try Golden.expect(first.output, equals: "replay.json")
        }
    }

    @Test func aFileGetsWhatStandardOutputDoes() async throws {
        try await Workspace.use { workspace in
            let printed = try await replay(
                workspace, "  - { id: console, plugin: stdout, format: json, send: [metrics] }")
            let sink = "  - { id: f, plugin: file, path: \(workspace.path("out")) }"
            let written = try await replay(workspace, sink)
            #expect(written.end == .exited(0), "\(written.errors)")
            #expect(workspace.read("out") == printed.output)
        }
    }

    @Test func aHostileRecordingIsAnErrorWithACode() async throws {
        try await Workspace.use { workspace in
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: "\(Self.recording)/recording")))
            let path = workspace.path("recording")
            for (change, code) in [("x", "SND-REC001"), ("sonde recording 1\n\u{1}\u{2}\0\0\0zz", "SND-REC002")] {
                try Data(change.utf8).write(to: URL(filePath: path))
                let result = try await workspace.sonde("replay", path)
                #expect(result.end == .exited(1))
                #expect(result.errors.contains(code))
            }
            // Half of it is played, and what is wrong in a value is the plugin's to find.
            var random = SystemRandomNumberGenerator()
            for _ in 0..<5 {
                var wrong = Array(bytes.prefix(bytes.count / 2))
                for _ in 0..<200 {
                    wrong[Int.random(in: 4_096..<wrong.count, using: &random)] = .random(
                        in: .min ... .max, using: &random)
                }
                try Data(wrong).write(to: URL(filePath: path))
                let file = "\(Self.recording)/sonde.yaml"
                let result = try await workspace.sonde("replay", path, "-c", file)
                #expect([.exited(0), .exited(1)].contains(result.end), "\(result.errors.suffix(500))")
            }
        }
    }
}
