import Testing

@testable import HTTPPlugin

/// No secret, and no part of one, is left.
@Suite struct RedactionTests {
    private static let secret = #"to/ken+0="1\\2%41 ä🔑&<9>"#

    private func hidden(_ text: String, _ secrets: [String], limit: Int = .max) -> String {
        let received = ReceivedText(Array(text.utf8), limit: limit)
        return String(decoding: Redaction(secrets).hiding(received), as: UTF8.self)
    }

    @Test func secretsAreHiddenWhereverTheyStand() {
        #expect(
            hidden("secret, secret-and-more, secre, ssecret", ["secret", "secret-and-more", ""])
                == "***, ***, secre, s***")
        #expect(hidden("secretsecret", ["secret"]) == "******")
    }

    @Test(arguments: [
        #"to\/ken+0=\"1\\\\2%41 ä🔑&<9>"#,
        #"to\/ken\u002b0\u003d\u00221\\\\2%41 \u00e4\ud83d\uDD11\u0026\u003C9\u003e"#,
        "to%2Fken%2B0%3D%221%5C%5C2%2541%20%C3%A4%f0%9f%94%91%26%3C9%3e",
        "to%252Fken%252B0%253D%25221%255C%255C2%252541%2520%25C3%25A4%25f0%259f%2594%2591%2526%253C9%253e",
        #"to&#x2F;ken+0=&quot;1\\2%41 &#228;&#x1F511;&amp;&lt;9&gt;"#,
        #"to\\\/ken+0=\\\"1\\\\\\\\2%41 ä🔑&<9>"#,
        "dG8va2VuKzA9IjFcXDIlNDEgw6Twn5SRJjw5Pg==",
    ])
    func aSecretIsFoundHoweverItIsEscaped(echo: String) {
        #expect(
            hidden("<\(echo)|\(echo)>", [Self.secret])
                == "<***|***>".replacing("***", with: echo.hasSuffix("==") ? "***==" : "***"))
    }

    @Test func everyCutHidesTheBeginningOfASecretToo() {
        for echo in [#"a token/0123+456"#, #"a token\/0123\u002b456"#, "a token%2f0123%2B456"] {
            for limit in 3...echo.utf8.count {
                let shown = hidden(echo + " and more", ["token/0123+456"], limit: limit)
                #expect(shown == "a ***", "\(limit)")
            }
        }
    }

    @Test func anAddressLosesItsUser() {
        #expect(
            hidden("Unsupported proxy 'foo://me:pa@ss@host/x@y' http://h/@", [])
                == "Unsupported proxy 'foo://***host/x@y' http://h/@".replacing("***host", with: "***@host"))
    }

    @Test func textWithoutSecretsStaysAsItIs() {
        let text = #"100% of a\tb & c\/d: %zz \u12 &unknown; \"#
        #expect(hidden(text, ["secret"]) == text)
    }

    @Test func aCutInARowOfBackslashesHidesWhatStandsBeforeIt() {
        let echo = "a token" + String(repeating: "\\", count: 31) + "/0123"
        for limit in 8...38 {
            #expect(hidden(echo, ["token/0123+456"], limit: limit) == "a ***", "\(limit)")
        }
    }
}
