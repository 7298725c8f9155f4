import SondeDomain
import SondeEngine
import Testing

@Suite struct ConfigurationSchemaTests {
    private static let all =
        ConfigurationSchema.agent + ConfigurationSchema.identity + ConfigurationSchema.source + ConfigurationSchema.sink

    @Test func codesOfTheConfigurationAreUniqueAndExplained() {
        let definitions = ErrorDefinition.all.filter { $0.code.text.hasPrefix("SND-CFG") }
        #expect(Set(definitions.map(\.code)).count == definitions.count)
        #expect(definitions.count == 41)
        #expect(definitions.allSatisfy { $0.failureClass == .configuration })
        #expect(definitions.allSatisfy { $0.meaning.hasSuffix(".") && $0.recovery.hasSuffix(".") })
    }
}
