import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// The page of `exec` and the guide say what the code does.
@Suite struct ExecDocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8)
    }

    /// The blocks of a language, in their order.
    private func blocks(_ language: String, in text: String) -> [String] {
        text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test func thePageHasTheSectionsOfAPlugin() throws {
        let sections = try text("docs/plugins/exec.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(
            sections == [
                "## Summary", "## Requirements and privileges", "## Configuration", "## Metrics", "## Output",
                "## Errors and recovery", "## Troubleshooting", "## Example output",
            ])
    }

    @Test func thePageNamesEveryOptionAndError() throws {
        let page = try text("docs/plugins/exec.md")
        for plugin in [ExecPlugin.source, ExecPlugin.sink] {
            #expect(plugin.options.map(\.key).filter { !page.contains("`\($0)`") } == [])
            #expect(plugin.errors.map(\.code).filter { !page.contains($0) } == [])
        }
        #expect(ExecFormat.allCases.map(\.rawValue).filter { !page.contains("**`\($0)`**") } == [])
    }

    @Test func theConfigurationOfThePageIsAccepted() throws {
        let yaml = try #require(blocks("yaml", in: try text("docs/plugins/exec.md")).first)
        let catalog = FakePluginCatalog([ExecPlugin.source, ExecPlugin.sink])
        #expect(ConfigurationFixture(catalog: catalog).load(yaml).problems == [])
    }

    @Test func theProgramsOfTheGuideRun() throws {
        let guide = try #require(
            try text("docs/guide/writing-a-plugin.md").components(separatedBy: "\n## In any language\n").last)
        let workshop = try ProgramWorkshop()
        let shell = try #require(blocks("sh", in: guide).first).components(separatedBy: "\n").dropFirst()
        let once = try workshop.source(shell.joined(separator: "\n"))
        #expect(try once.collect(workshop.call()) == .completed)
        let python = try #require(blocks("python", in: guide).first)
            .replacingOccurrences(of: "/usr/share/sonde", with: "\(Self.root)/sdk/python")
        let script = try workshop.script(
            python.components(separatedBy: "\n").dropFirst().joined(separator: "\n"), "/usr/bin/python3")
        let source = try workshop.source(
            "",
            [
                "command": .list([script]), "mode": .string("stream"), "format": .string("sonde"),
                "env": .list(["PYTHONDONTWRITEBYTECODE=1"]),
            ])
        let cancel = try CancelSignal()
        workshop.services.onCommit { cancel.cancel() }
        try source.start()
        #expect(try source.run(workshop.call(cancel: cancel.descriptor)) == .cancelled)
        #expect(Set(workshop.services.series.map(\.name)) == ["acme.uptime"])
        #expect(workshop.committed.count == 2)
    }

    @Test func bothAreFoundByTheirKind() throws {
        let catalog = ExecCatalog(programs: PluginWorkshop.programs)
        #expect(try catalog.plugins(named: "exec").map(\.descriptor.kind) == [.source, .sink])
        #expect(throws: SondeError.self) { try catalog.plugin(named: "procnet") }
        #expect(throws: SondeError.self) { try ExecCatalog(programs: nil).plugin(named: "exec") }
    }
}
