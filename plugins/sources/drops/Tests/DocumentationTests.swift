import SondeDomain
import SondeTestKit
import Testing

@testable import DropsPlugin

@Suite struct DocumentationTests {
    private let readme = PluginReadme()

    @Test func theReadmeShowsTheSampleFile() {
        #expect(readme.showsSample)
    }

    @Test(arguments: DropsSource.descriptor.options)
    func everyOptionIsDocumentedWithItsDefault(_ option: OptionDefinition) {
        #expect(readme.defaultText(of: option.key) == option.documentedDefault)
    }

    @Test func theTableOfMetricsIsTheCatalog() {
        #expect(readme.metrics == DropsSource.descriptor.documentedMetrics)
    }

    @Test func everyErrorIsDocumentedAndNoOther() {
        #expect(readme.errorCodes == DropsSource.descriptor.errors.map(\.code))
    }
}
