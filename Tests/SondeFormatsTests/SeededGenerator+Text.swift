import SondeTestKit

extension SeededGenerator {
    /// Up to 12 characters, most of them awkward.
    mutating func text() -> String {
        let awkward: [Unicode.Scalar] = [
            "\"", "\\", "\n", "\r", "\t", "\u{0}", "\u{1b}", "\u{7f}", "\u{9b}", "\u{2028}", "\u{2029}", "é", "😀", ",",
            "=",
            " ", "/", "{", "\u{a0}", "#", "a",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            text.unicodeScalars.append(awkward.randomElement(using: &self) ?? "a")
        }
        return text
    }
}
