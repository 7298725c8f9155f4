/// Text as a terminal shows it, in columns.
enum DisplayText {
    /// The text without what a terminal would act on or could hide: control, format and combining characters.
    static func safe(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
                .nonspacingMark, .enclosingMark, .spacingMark:
                result.append("?")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// How many columns a safe text takes.
    static func width(_ text: String) -> Int {
        text.utf8.count == text.unicodeScalars.count
            ? text.utf8.count : text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// The text in exactly so many columns, its end cut or spaces added after it.
    static func left(_ text: String, _ columns: Int) -> String {
        let text = clip(text, to: columns)
        return text + spaces(columns - width(text))
    }

    /// The text in at least so many columns, spaces added before it.
    static func right(_ text: String, _ columns: Int) -> String {
        spaces(columns - width(text)) + text
    }

    /// So many spaces.
    static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }

    /// The text cut to so many columns, with `…` for what is missing.
    static func clip(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var result = String.UnicodeScalarView()
        var rest = columns - 1
        for scalar in text.unicodeScalars {
            rest -= width(scalar)
            guard rest >= 0 else { break }
            result.append(scalar)
        }
        result.append("…")
        return String(result)
    }

    // The ranges of East Asian wide characters and of emoji (Unicode Standard Annex #11), coarsely.
    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
            0xffe0...0xffe6, 0x1f300...0x1faff, 0x2_0000...0x3_fffd:
            2
        default: 1
        }
    }
}
