import SondeEngine
import Testing

@Suite struct SecretHintTests {
    @Test(arguments: [
        "token", "auth_token", "Authorization", "PASSWORD", "client_secret", "bearer", "x-api_key", "X-API-Key",
        "Api-Key", "Cookie",
    ])
    func keyOfASecretIsRecognized(_ key: String) {
        #expect(SecretHint.isLikelyKey(key))
    }

    @Test(arguments: ["", "url", "path", "pass", "key", "tokn"])
    func otherKeyIsNot(_ key: String) {
        #expect(!SecretHint.isLikelyKey(key))
    }

    @Test func addressWithAPasswordIsRecognized() {
        #expect(SecretHint.holdsCredentials("https://user:pass@host/"))
        #expect(!SecretHint.holdsCredentials("https://host/"))
        #expect(!SecretHint.holdsCredentials("me@host"))
        #expect(!SecretHint.holdsCredentials("@"))
        #expect(!SecretHint.holdsCredentials(""))
    }
}
