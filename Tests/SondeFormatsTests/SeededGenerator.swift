/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

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
