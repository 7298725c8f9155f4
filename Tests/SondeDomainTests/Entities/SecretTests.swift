import SondeDomain
import Testing

@Suite struct SecretTests {
    private struct Holder {
        let name = "central"
        let token = Secret("hunter2")
    }

    @Test func aSecretNeverPrints() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(Holder(), to: &dumped)
        let texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\(Holder())", "\([secret])", dumped,
            String(reflecting: Optional(secret)),
        ]
        for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
        #expect(dumped.contains("***"))
    }

    @Test func theOneWhoUsesItSeesIt() {
        #expect(Secret("hunter2").reveal() == "hunter2")
    }
}
