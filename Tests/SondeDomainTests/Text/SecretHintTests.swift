import SondeDomain
import Testing

@Suite struct SecretHintTests {
    @Test(arguments: [
        "token", "auth_token", "Authorization", "PASSWORD", "client_secret", "bearer", "x-api_key", "X-API-Key",
        "Api-Key", "Cookie", "X-License-Key", "X-Insert-Key", "X-Honeycomb-Team", "x-functions-key", "DD-API-KEY",
        "Ocp-Apim-Subscription-Key", "X-Amz-Security-Token", "X-Signature", "hmac_sig",
    ])
    func keyOfASecretIsRecognized(_ key: String) {
        #expect(SecretHint.isLikelyKey(key))
    }

    @Test(arguments: ["", "url", "path", "pass", "key", "tokn", "key_file", "X-Scope-OrgID", "monkey", "_key"])
    func otherKeyIsNot(_ key: String) {
        #expect(!SecretHint.isLikelyKey(key))
    }

    @Test func addressWithAPasswordIsRecognized() {
        #expect(SecretHint.holdsCredentials("https://user:pass@host/"))
        #expect(!SecretHint.holdsCredentials("https://host/"))
        #expect(!SecretHint.holdsCredentials("me@host"))
        #expect(!SecretHint.holdsCredentials("@"))
        #expect(!SecretHint.holdsCredentials(""))
        #expect(SecretHint.holdsCredentials("https://h/?api_key=1"))
        #expect(!SecretHint.holdsCredentials("https://h/?org=main"))
        #expect(!SecretHint.holdsCredentials("/path?api_key=1"))
    }

    @Test(arguments: [
        ("https://user:p/w?x@y@host/?a=1", "https://***@host/?a=1"),
        ("https://h/in?org=main&api_key=abc&bucket=b", "https://h/in?org=main&api_key=***&bucket=b"),
        ("https://h/in?key=abc;sig=d%26e&code=f#part", "https://h/in?key=***;sig=***&code=***#part"),
        ("https://h/in?KEY=a=b&token=&x", "https://h/in?KEY=***&token=&x"),
        ("https://h/in?", "https://h/in?"),
        ("?api_key=abc", "?api_key=abc"),
    ])
    func credentialsAreTakenOutOfAnAddress(_ text: String, _ shown: String) {
        #expect(SecretHint.withoutCredentials(text) == shown)
    }
}
