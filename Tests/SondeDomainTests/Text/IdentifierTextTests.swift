import SondeDomain
import Testing

@Suite struct IdentifierTextTests {
    @Test(arguments: ["a", "0", "edge-1.fra_2", String(repeating: "a", count: 64)])
    func idIsValid(_ text: String) {
        #expect(IdentifierText.isValid(text))
    }

    @Test(arguments: ["", "-a", ".a", "_a", "A", "a b", "ä", "a/b", "a\n", String(repeating: "a", count: 65)])
    func otherTextIsNoID(_ text: String) {
        #expect(!IdentifierText.isValid(text))
    }
}
