import SondeDomain
import Testing

@testable import HTTPPlugin

/// README.md and sample.yaml against the code.
@Suite struct ReadmeTests {
    private let readme: String
    private let sample: String

    init() throws {
        let folder = Fixtures.directory + "/../.."
        readme = try Fixtures.contents(of: folder + "/README.md")
        sample = try Fixtures.contents(of: folder + "/sample.yaml")
    }

    @Test func theSampleInTheReadmeIsTheFile() {
        #expect(readme.contains("```yaml\n\(sample)```"))
    }

    @Test func everyOptionIsInTheSampleAndTheReadme() {
        for option in HTTPSink.descriptor.options {
            let leaf = option.key.split(separator: ".").last.map(String.init) ?? option.key
            #expect(sample.contains("\(leaf):"), "\(option.key)")
            #expect(readme.contains("`\(option.key)`"), "\(option.key)")
        }
    }

    @Test func everyErrorIsInTheReadme() {
        for error in HTTPSink.descriptor.errors {
            #expect(readme.contains("| `\(error.code)` | \(error.meaning) | \(error.recovery) |"), "\(error.code)")
        }
    }
}
