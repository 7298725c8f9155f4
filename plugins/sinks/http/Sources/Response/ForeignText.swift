/// Text that somebody else wrote, made fit for a log line.
enum ForeignText {
    // What follows would be shown of no text.
    private static let longestRead = 16 << 10

    /// What a receiver says, on one line that a person can read: without tags, with one space for white space of any
    /// length, and at most `limit` characters or so.
    static func sentence(_ bytes: [UInt8], limit: Int) -> String {
        let bytes = Array(bytes.prefix(longestRead))
        let words = (MarkupText.isMarkup(bytes) ? MarkupText.plain(bytes) : bytes)
            .split { $0 == 0x20 || (0x09...0x0d).contains($0) }
        return line(Array(words.joined(separator: [0x20])), limit: limit)
    }

    /// The first `limit` characters or so of `bytes`, on one line.
    ///
    /// Control characters and those that hide or reorder text are escaped, invalid UTF-8 is replaced.
    static func line(_ bytes: [UInt8], limit: Int) -> String {
        var result = ""
        var count = 0
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard count < limit else { return result + "…" }
            count += 1
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if isShown(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
        return result
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse: false
        default: true
        }
    }
}
