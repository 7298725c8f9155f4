import SondeDomain
import Testing

struct SecretMaskTests {
    @Test func hidesTheLongestSecretFirstWhereverItStands() {
        let mask = SecretMask([Secret("ab"), Secret("abc"), Secret("")])
        #expect(mask.masking("abc ab xabcx a b") == "*** *** x***x a b")
        #expect(mask.masking("nothing here") == "nothing here")
        #expect(SecretMask([]).masking("ab") == "ab")
    }
}
