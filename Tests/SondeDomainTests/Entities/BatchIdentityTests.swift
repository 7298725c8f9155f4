import SondeDomain
import Testing

@Suite struct BatchIdentityTests {
    @Test func itsTextNamesAgentEpochAndStretch() {
        let identity = BatchIdentity(agent: "a-1", epoch: "e-2", first: 3, last: .max)
        #expect(identity.text == "a-1/e-2/3-18446744073709551615")
    }
}
