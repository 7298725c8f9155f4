import Foundation
import Testing

/// docs/guide/writing-a-plugin.md shows these very files, so what it shows compiles and runs.
struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [
        ("swift", "Guide/Uptime.swift"), ("swift", "Guide/UptimeTests.swift"), ("c", "Fixtures/loadavg.c"),
    ])
    func shows(_ language: String, _ file: String) throws {
        let guide = try text("docs/guide/writing-a-plugin.md")
        let shown = try text("Tests/SondeGatewaysTests/PluginLoading/\(file)")
        #expect(guide.contains("```\(language)\n\(shown)```"))
        #expect(shown.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "60 lines at most")
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }
}
