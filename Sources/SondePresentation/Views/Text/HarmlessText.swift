/// Text that cannot steer a terminal.
enum HarmlessText {
    /// Whether a character only shows itself.
    static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }

    /// The text on one line; characters that do more than show themselves become U+FFFD.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { line.append(isHarmless(scalar) ? scalar : "\u{FFFD}") }
        return String(line)
    }
}
