import SondeDomain
import Testing

@Suite struct ResourceUsageTests {
    @Test func limitsAreEmptyWhereNeitherIsSet() {
        #expect(ResourceLimits().isEmpty)
        #expect(!ResourceLimits(processors: 0.02).isEmpty)
        #expect(!ResourceLimits(memory: 64 << 20).isEmpty)
    }
}
