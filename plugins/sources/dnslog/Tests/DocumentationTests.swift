import SondeDomain
import SondeTestKit
import Testing

@testable import DNSLogPlugin

@Suite struct DocumentationTests {
    private let readme = PluginReadme()

    @Test func theReadmeShowsTheSampleFile() {
        #expect(readme.showsSample)
    }

    @Test(arguments: DNSLogSource.descriptor.options)
    func everyOptionIsDocumentedWithItsDefault(_ option: OptionDefinition) {
        #expect(readme.defaultText(of: option.key) == option.documentedDefault)
    }

    @Test func theTableOfMetricsIsTheCatalog() {
        #expect(readme.metrics == DNSLogSource.descriptor.documentedMetrics)
    }

    @Test func everyErrorIsDocumentedAndNoOther() {
        #expect(readme.errorCodes == DNSLogSource.descriptor.errors.map(\.code))
    }
}
