import SondeDomain

/// Values as messages quote them: short, on one line, without credentials.
enum Shown {
    private static let limit = 60
    private static let listLimit = 20

    /// The text in single quotes.
    static func text(_ text: String) -> String {
        if SecretHint.holdsCredentials(text) { return "'***'" }
        var shown = "'"
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        if text.unicodeScalars.count > limit { shown += "…" }
        return shown + "'"
    }

    /// A list of alternatives: `'a', 'b' or 'c'`.
    static func alternatives(_ words: [String]) -> String {
        joined(words, "or")
    }

    /// A list of all: `'a', 'b' and 'c'`.
    static func list(_ words: [String]) -> String {
        joined(words, "and")
    }

    private static func joined(_ words: [String], _ conjunction: String) -> String {
        let quoted = words.prefix(listLimit).map(text)
        guard words.count <= listLimit else { return quoted.joined(separator: ", ") + " …" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return "\(quoted.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
