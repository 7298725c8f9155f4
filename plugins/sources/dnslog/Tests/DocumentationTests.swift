import Foundation
import SondeDomain
import Testing

@testable import DNSLogPlugin

@Suite struct DocumentationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private func file(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    private func rows(_ start: String) throws -> [[String]] {
        try file("README.md").split(separator: "\n").filter { $0.hasPrefix(start) }.map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    @Test func theReadmeShowsTheSampleFile() throws {
        #expect(try file("README.md").contains("```yaml\n" + file("sample.yaml") + "```"))
    }

    @Test(arguments: DNSLogSource.descriptor.options)
    func everyOptionIsDocumentedWithItsDefault(_ option: OptionDefinition) throws {
        let row = try #require(try rows("| `\(option.key)` |").first)
        #expect(row[2] == (option.defaultText.map { "`\($0)`" } ?? ""))
    }

    @Test func theTableOfMetricsIsTheCatalog() throws {
        let documented = try rows("| `sonde.").map { [$0[0], $0[1], $0[2]] }
        #expect(documented == DNSLogSource.descriptor.metrics.map { ["`\($0.name)`", $0.kind.name, $0.unit] })
    }

    @Test func everyErrorIsDocumentedAndNoOther() throws {
        #expect(try rows("| SND-").map { $0[0] } == DNSLogSource.descriptor.errors.map(\.code))
    }
}
