import SondePluginKit
import Testing

@testable import HTTPPlugin

/// Text of others, made fit for a message.
@Suite struct ForeignTextTests {
    @Test func lettersOfAnyScriptAreShown() {
        #expect(ForeignText.line("größe 大きさ 🙂", limit: 100) == "größe 大きさ 🙂")
    }

    @Test func whatCannotBeSeenIsEscaped() {
        let text = "a\u{0}\u{1b}\u{7f}\u{9b}\u{200b}\u{202e}\u{2028}\n\r\tb"
        #expect(
            ForeignText.line(text, limit: 100)
                == #"a\u{0}\u{1b}\u{7f}\u{9b}\u{200b}\u{202e}\u{2028}\n\r\tb"#
        )
    }

    @Test func longTextIsCut() {
        #expect(ForeignText.line("abcdef", limit: 3) == "abc…")
        #expect(ForeignText.line("abc", limit: 3) == "abc")
    }

    @Test(arguments: [
        (" a\r\n\t b  c\n", "a b c"),
        (
            "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>"
                + "\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n",
            "502 Bad Gateway nginx/1.22.1"
        ),
        (
            "<!DOCTYPE html><style>p { a: b }</style><!-- <b> --><P>x &lt; y &amp;&#32;z</P><SCRIPT>f()</script>!",
            "x < y & z !"
        ),
        ("<?xml version=\"1.0\"?><Error><Code>AuthFailed</Code></Error>", "AuthFailed"),
        ("<nil> and a < b", "<nil> and a < b"),
        ("<p>open <b", "<p>open <b"),
        ("<p>open</p> <b", "open"),
        ("{\"a\": \"<b>x</b>\"}", "{\"a\": \"<b>x</b>\"}"),
        ("a\u{1b}[31m", #"a\u{1b}[31m"#),
    ])
    func whatAReceiverSaysIsOneSentence(text: String, sentence: String) {
        #expect(ForeignText.sentence(Array(text.utf8), limit: 300) == sentence)
    }
}
