import SondeDomain
import Testing

@testable import SondeEngine

@Suite struct MetricMeaningsTests {
    @Test func theCatalogsMeaningCountsBeforeASourcesOwn() {
        let meanings = MetricMeanings()
        #expect(meanings.meaning(of: "test.apples").isEmpty)
        meanings.learn([MetricDefinition("test.apples", .gauge, unit: "1", meaning: "How many apples.")])
        meanings.learn("test.apples", "Something else.")
        meanings.learn("test.pears", "How many pears.")
        #expect(meanings.meaning(of: "test.apples") == "How many apples.")
        #expect(meanings.meaning(of: "test.pears") == "How many pears.")
        #expect(meanings.meaning(of: "test.plums").isEmpty)
    }
}
