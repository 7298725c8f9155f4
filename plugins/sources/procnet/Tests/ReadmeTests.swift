import Foundation
import SondeDomain
import Testing

@testable import ProcNetPlugin

@Suite struct ReadmeTests {
    private func readme() throws -> String {
        let folder = URL(filePath: ProcTree.directory).deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    }

    @Test func theSectionsAreTheFixedOnes() throws {
        let sections = try readme().split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        #expect(
            sections == [
                "Summary", "Requirements and privileges", "Configuration", "Metrics", "Errors and recovery",
                "Troubleshooting", "Example output",
            ]
        )
    }

    @Test(arguments: ProcNetSource.descriptor.options)
    func everyOptionIsDocumentedWithItsDefault(_ option: OptionDefinition) throws {
        let row = try #require(try readme().split(separator: "\n").first { $0.hasPrefix("| `\(option.key)` |") })
        if let value = option.defaultText { #expect(row.contains("| `\(value)` |")) }
    }

    @Test func everyErrorIsExplained() throws {
        let text = try readme()
        for error in ProcNetSource.descriptor.errors {
            #expect(text.contains("| \(error.code) |"), "\(error.code)")
        }
    }

    @Test func theSampleStandsInTheReadme() throws {
        let folder = URL(filePath: ProcTree.directory).deletingLastPathComponent()
        let sample = try String(contentsOf: folder.appending(path: "sample.yaml"), encoding: .utf8)
        #expect(try readme().contains("```yaml\n\(sample)```"))
    }
}
