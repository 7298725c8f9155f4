import Testing

@testable import SondeWeb

@Suite struct TokenTests {
    @Test func aTokenThatIsMadeIsOneOf128Bits() {
        let (one, other) = (Token(), Token())
        #expect(one.text.count == 32)
        #expect(one.text != other.text)
        #expect(one.matches(one.text))
        #expect(!one.matches(other.text))
    }

    @Test func aTokenOfAFileIsOneLineOfPrintableCharacters() {
        #expect(Token(Array("correct-horse-battery\n".utf8))?.text == "correct-horse-battery")
        #expect(Token(Array("correct-horse-battery\r\n".utf8))?.matches("correct-horse-battery") == true)
        for text in [
            "", "short", "nineteen-characters", "two lines of\nsomething-long", "with a space in it, long",
            "ünicode-is-not-printable-here",
        ] {
            #expect(Token(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(Token([UInt8](repeating: 0x61, count: 1_025)) == nil)
        #expect(Token([UInt8](repeating: 0x61, count: 1_024)) != nil)
    }

    @Test func onlyTheTokenMatches() throws {
        let token = try #require(Token(Array("correct-horse-battery".utf8)))
        for text in [
            "", "c", "correct-horse-batter", "correct-horse-batteryx", "correct-horse-batterycorrect-horse-battery",
            "Correct-horse-battery", "correct-horse-battery ", String(repeating: "c", count: 100_000),
        ] {
            #expect(!token.matches(text), "\(text.prefix(50))")
        }
        #expect(token.matches("correct-horse-battery"))
    }
}
