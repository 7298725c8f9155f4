import Foundation
import SondeDomain
import Testing

@testable import StdoutPlugin

struct DocumentationTests {
    @Test func theReadmeShowsTheSampleFile() throws {
        #expect(try pluginFile("README.md").contains("```yaml\n" + pluginFile("sample.yaml") + "```"))
    }

    @Test func theReadmeShowsWhatThePluginPrints() throws {
        #expect(try pluginFile("README.md").contains("```\n" + fixture("table.txt") + "\n```"))
    }

    @Test(arguments: StdoutSink.descriptor.options)
    func everyOptionIsDocumentedWithItsDefault(_ option: OptionDefinition) throws {
        let readme = try pluginFile("README.md")
        let row = try #require(readme.split(separator: "\n").first { $0.hasPrefix("| `\(option.key)` |") })
        #expect(row.contains("| `\(option.defaultText ?? "")` |"))
        #expect(try pluginFile("sample.yaml").contains("\(option.key): \(option.defaultText ?? "")"))
    }

    @Test func everyErrorIsDocumented() throws {
        let readme = try pluginFile("README.md")
        for error in StdoutSink.descriptor.errors {
            #expect(readme.contains("| \(error.code) |"))
        }
    }
}
