import Foundation
import SondeDomain
import Testing

@testable import FilePlugin

/// The plugin's documents match the code.
@Suite struct DocumentationTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test func theExampleIsWhatTheSinkWrites() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1...3))
        let golden = folder.appending(path: "Tests/Fixtures/example.ndjson")
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            try bench.text?.write(to: golden, atomically: true, encoding: .utf8)
        }
        #expect(try bench.text == String(contentsOf: golden, encoding: .utf8))
    }

    @Test(arguments: ["Tests/Fixtures/example.ndjson", "sample.yaml"])
    func theReadmeShowsTheFileAsItIs(_ name: String) throws {
        let shown = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        #expect(try readme.contains("\n\(shown)```"))
    }

    @Test func theReadmeListsEveryErrorAndOption() throws {
        let text = try readme
        for error in FileSink.descriptor.errors { #expect(text.contains("| \(error.code) |")) }
        for option in FileSink.descriptor.options { #expect(text.contains("| `\(option.key)` |")) }
    }

    @Test func theSampleSetsEveryOption() throws {
        let sample = try String(contentsOf: folder.appending(path: "sample.yaml"), encoding: .utf8)
        for option in FileSink.descriptor.options {
            let key = option.key.split(separator: ".").last.map(String.init) ?? option.key
            #expect(sample.contains(" \(key): \(option.defaultText.map(quotedWhenOctal) ?? "/")"))
        }
    }

    private var readme: String {
        get throws { try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8) }
    }

    private func quotedWhenOctal(_ text: String) -> String {
        text.first == "0" && text.allSatisfy(\.isNumber) && text.count > 1 ? "\"\(text)\"" : text
    }
}
