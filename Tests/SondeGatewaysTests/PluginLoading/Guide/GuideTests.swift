import Foundation
import Testing

/// docs/guide/writing-a-plugin.md shows these very files, so what it shows compiles and runs.
struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [
        ("swift", "Guide/Uptime.swift"), ("swift", "Guide/UptimeTests.swift"), ("c", "Fixtures/loadavg.c"),
        ("c", "Fixtures/append.c"),
    ])
    func shows(_ language: String, _ file: String) throws {
        let guide = try text("docs/guide/writing-a-plugin.md")
        // Here the plugin is part of the tests; beside a checkout it is a module of its own.
        let shown = try text("Tests/SondeGatewaysTests/PluginLoading/\(file)")
            .replacing("import Testing\n", with: "import Testing\nimport Uptime\n")
        #expect(guide.contains("```\(language)\n\(shown)```"))
        #expect(shown.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "60 lines at most")
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }
}
