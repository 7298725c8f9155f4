import SondeGateways
import Testing

@Suite struct SpoolEpochTests {
    @Test func aUUIDNamesALog() {
        #expect(SpoolEpoch("00000000-0000-4000-8000-00000000002a")?.text == "00000000-0000-4000-8000-00000000002a")
    }

    @Test(arguments: ["", "epoch", "00000000-0000-4000-8000-00000000002A", "00000000-0000-4000-8000-00000000002", "é"])
    func anythingElseDoesNot(_ text: String) {
        #expect(SpoolEpoch(text) == nil)
    }

    @Test func newNamesDiffer() {
        var random = SystemRandomNumberGenerator()
        #expect(SpoolEpoch.random(using: &random) != SpoolEpoch.random(using: &random))
    }
}
