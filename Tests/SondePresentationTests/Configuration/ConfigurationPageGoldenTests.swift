import Foundation
import SondeDomain
import SondeEngine
import SondePresentation
import Testing

/// docs/configuration.md has its tables from the definitions of the keys.
@Suite struct ConfigurationPageGoldenTests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs")
    private static let path = docs.appending(path: "configuration.md")

    @Test func theTablesOfThePageAreWhatTheCodeSays() throws {
        let page = try String(contentsOf: Self.path, encoding: .utf8)
        var written = page
        for (name, rows) in Self.tables() {
            let start = try #require(written.range(of: "<!-- keys of \(name), written by make golden -->\n"))
            let end = try #require(written.range(of: "<!-- end -->", range: start.upperBound..<written.endIndex))
            let head = "| key | type | default | what |\n|---|---|---|---|\n"
            written.replaceSubrange(start.upperBound..<end.lowerBound, with: head + rows.map { $0 + "\n" }.joined())
        }
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            return try written.write(to: Self.path, atomically: true, encoding: .utf8)
        }
        #expect(page == written, "run 'make golden' and review the difference")
    }

    @Test func thePageForPluginsListsEveryKeyOfTheHost() throws {
        let page = try String(contentsOf: Self.docs.appending(path: "spec/plugin-description.md"), encoding: .utf8)
        let sentence = try #require(page.split(separator: "\n\n").first { $0.contains("one of the host's own keys") })
        for definition in ConfigurationSchema.identity + ConfigurationSchema.source + ConfigurationSchema.sink {
            let key = definition.key.prefix { $0 != "." }
            #expect(sentence.contains("`\(key)`"), "\(key)")
        }
    }

    private static func tables() -> [(name: String, rows: [String])] {
        [
            ("agent", AgentSettings.keys.map(row)),
            ("every entry", ConfigurationSchema.identity.map { row($0, $0.isRequired ? "required" : nil) }),
            ("a source", SourceConfiguration.keys.map(row)), ("a sink", SinkConfiguration.keys.map(row)),
        ]
    }

    private static func row<Owner>(_ option: ConfigurationOption<Owner>) -> String {
        switch option.unset {
        case .standard: row(option.definition, nil)
        case .inherited: row(option.definition, "the agent's")
        case .words(let words): row(option.definition, words)
        }
    }

    /// A line of a table; `unset` says what holds where there is no default.
    private static func row(_ definition: OptionDefinition, _ unset: String?) -> String {
        let type = definition.typeText.replacing(" | ", with: ", ")
        let standard = unset ?? definition.defaultText.map { "`\($0)`" } ?? ""
        return "| `\(definition.key)` | \(type) | \(standard) | \(definition.help) |"
    }
}
