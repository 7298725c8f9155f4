import SondeDomain
import SondeTestKit
import Testing

@testable import ScrapePlugin

/// README.md and sample.yaml against the code.
@Suite struct DocumentationTests {
    private let readme = PluginReadme()

    @Test func theReadmeShowsTheSample() {
        #expect(readme.showsSample)
    }

    @Test func theReadmeHasEveryOptionWithItsDefault() {
        for option in ScrapeSink.descriptor.options {
            #expect(readme.defaultText(of: option.key) == option.documentedDefault, "\(option.key)")
        }
    }

    @Test func theReadmeHasEveryError() {
        #expect(readme.errorCodes == ScrapeSink.descriptor.errors.map(\.code))
    }
}
