/// Values that begin with a minus, as the parser of arguments takes them.
enum NegativeValues {
    /// `--range -1h` as `--range=-1h`: else the parser sees `-h` in it, shows the help and calls that a success.
    static func joined(_ words: [String]) -> [String] {
        var joined: [String] = []
        for (index, word) in words.enumerated() {
            if word == "--" { return joined + words[index...] }
            if let option = joined.last, option.hasPrefix("--"), !option.contains("="), isNegative(word) {
                joined[joined.count - 1] = "\(option)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    private static func isNegative(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let first = word.dropFirst().first else { return false }
        return first.isASCII && first.isNumber
    }
}
