import SondeDomain
import SondeEngine
import Testing

@testable import SondePresentation

@Suite struct SourceExcerptTests {
    private func excerpt(_ line: String, column: Int, secrets: [(Int, Int)] = []) -> [String] {
        let text = ConfigurationText(
            file: "f", lines: [line],
            secrets: secrets.map { .init(startLine: 1, startColumn: $0.0, endLine: 1, endColumn: $0.1) })
        guard let excerpt = SourceExcerpt(of: text, at: SourceMark(file: "f", line: 1, column: column)) else {
            return []
        }
        return [excerpt.line, excerpt.caret]
    }

    @Test func caretStandsBelowThePlace() {
        #expect(excerpt("abc: d", column: 6) == ["abc: d", "     ^"])
        #expect(excerpt("abc", column: 1) == ["abc", "^"])
    }

    @Test func caretMayStandBehindTheLine() {
        #expect(excerpt("abc", column: 4) == ["abc", "   ^"])
        #expect(excerpt("abc", column: 400) == ["abc", "   ^"])
    }

    @Test func tabsAreKeptAboveTheCaret() {
        #expect(excerpt("a\tb\tc", column: 5) == ["a\tb\tc", " \t \t^"])
    }

    @Test func wideCharactersTakeTwoColumns() {
        #expect(excerpt("東京: x", column: 5) == ["東京: x", "      ^"])
        #expect(excerpt("👍 x", column: 3) == ["👍 x", "   ^"])
    }

    @Test func combiningCharactersTakeNone() {
        #expect(excerpt("e\u{301}e\u{301} x", column: 6) == ["e\u{301}e\u{301} x", "   ^"])
    }

    @Test func secretBecomesThreeStars() {
        #expect(
            excerpt("token: abcdefgh, x: 1", column: 18, secrets: [(8, 16)]) == ["token: ***, x: 1", "            ^"])
        #expect(excerpt("token: abcdefgh, x: 1", column: 10, secrets: [(8, 16)]) == ["token: ***, x: 1", "       ^"])
    }

    @Test func overlappingSecretsAreBothHidden() {
        let shown = excerpt("abcdefghij", column: 1, secrets: [(2, 6), (4, 9)])[0]
        #expect(!shown.contains("b") && !shown.contains("g") && shown.hasSuffix("ij"))
    }

    @Test func charactersThatSteerATerminalAreReplaced() {
        #expect(excerpt("a\u{1B}[31mb\u{202E}c\u{85}d", column: 7)[0] == "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}d")
    }

    @Test func longLineIsCutAroundThePlace() {
        let line = String(repeating: "a", count: 500) + "X" + String(repeating: "b", count: 500)
        let shown = excerpt(line, column: 501)
        #expect(shown[0].count == 162)
        #expect(shown[0].hasPrefix("…a") && shown[0].hasSuffix("b…"))
        let index = shown[0].index(shown[0].startIndex, offsetBy: shown[1].count - 1)
        #expect(shown[0][index] == "X")
    }

    @Test(arguments: [-1, 0, 1, 2, 1_000])
    func endsOfALongLineAreNoTrap(_ column: Int) {
        #expect(excerpt(String(repeating: "a", count: 1_000), column: column).count == 2)
    }

    @Test func emptyLineAndMissingLineHaveNoExcerpt() {
        #expect(excerpt("", column: 1) == [])
        let text = ConfigurationText(file: "f", lines: [])
        #expect(SourceExcerpt(of: text, at: SourceMark(file: "f", line: 3, column: 1)) == nil)
        #expect(SourceExcerpt(of: text, at: SourceMark(file: "f", line: 0, column: 1)) == nil)
    }
}
