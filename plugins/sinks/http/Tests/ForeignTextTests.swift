import Testing

@testable import HTTPPlugin

/// Text of others, made fit for a message.
@Suite struct ForeignTextTests {
    @Test func lettersOfAnyScriptAreShown() {
        #expect(ForeignText.line(Array("größe 大きさ 🙂".utf8), limit: 100) == "größe 大きさ 🙂")
    }

    @Test func whatCannotBeSeenIsEscaped() {
        let text = "a\u{0}\u{1b}\u{7f}\u{9b}\u{200b}\u{202e}\u{2028}\n\r\tb"
        #expect(
            ForeignText.line(Array(text.utf8), limit: 100)
                == #"a\u{0}\u{1b}\u{7f}\u{9b}\u{200b}\u{202e}\u{2028}\n\r\tb"#
        )
    }

    @Test func brokenUTF8IsReplaced() {
        #expect(ForeignText.line([0x61, 0xff, 0xc3, 0x62], limit: 100) == "a\u{fffd}\u{fffd}b")
    }

    @Test func longTextIsCut() {
        #expect(ForeignText.line(Array("abcdef".utf8), limit: 3) == "abc…")
        #expect(ForeignText.line(Array("abc".utf8), limit: 3) == "abc")
    }

    @Test func secretsAreHiddenWhereverTheyStand() {
        let redaction = Redaction(["secret", "secret-and-more", ""])
        #expect(
            redaction.hiding(Array("secret, secret-and-more, secre, ssecret".utf8))
                == Array("***, ***, secre, s***".utf8))
        #expect(redaction.longest == 15)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("ü:\u{ff}", "w7w6w78="),
    ])
    func base64IsThatOfTheStandard(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }
}
