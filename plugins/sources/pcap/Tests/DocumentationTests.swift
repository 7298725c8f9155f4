import SondeDomain
import SondeTestKit
import Testing

@testable import PcapPlugin

@Suite struct DocumentationTests {
    private let readme = PluginReadme()

    @Test func theReadmeShowsTheSampleFile() {
        #expect(readme.showsSample)
    }

    @Test(arguments: PcapSource.descriptor.options)
    func everyOptionIsDocumentedWithItsDefault(_ option: OptionDefinition) {
        #expect(readme.defaultText(of: option.key) == option.documentedDefault)
    }

    @Test func theTableOfMetricsIsTheCatalog() {
        #expect(readme.metrics == PcapSource.descriptor.documentedMetrics)
    }

    @Test func everyErrorIsDocumentedAndNoOther() {
        #expect(readme.errorCodes == PcapSource.descriptor.errors.map(\.code))
    }
}
