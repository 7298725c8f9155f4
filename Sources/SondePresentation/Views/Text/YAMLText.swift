/// Values as YAML that reads back as the same text.
enum YAMLText {
    private static let reserved: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

    /// A single value, quoted unless every reader takes it for a string; `${` is escaped.
    static func scalar(_ text: String) -> String {
        if isPlain(text) { return text }
        var quoted = "\""
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "{" && last == "$" {
                quoted.removeLast()
                quoted += "$${"
            } else {
                quoted += escaped(scalar)
            }
            last = scalar
        }
        return quoted + "\""
    }

    /// A text that contains references, quoted; they stay references.
    static func reference(_ text: String) -> String {
        "\"\(text.unicodeScalars.map(escaped).joined())\""
    }

    /// A list on one line; the items are YAML already.
    static func list(_ items: [String]) -> String {
        "[\(items.joined(separator: ", "))]"
    }

    /// A mapping on one line; the values are YAML already.
    static func mapping(_ pairs: [(key: String, value: String)]) -> String {
        guard !pairs.isEmpty else { return "{}" }
        return "{ \(pairs.map { "\(key($0.key)): \($0.value)" }.joined(separator: ", ")) }"
    }

    static func key(_ text: String) -> String {
        // References are not replaced in keys: nothing to escape.
        isPlain(text) ? text : reference(text)
    }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "/") else { return false }
        let isWord = text.utf8.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-")].contains(byte)
        }
        return isWord && !reserved.contains(text.lowercased())
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default: HarmlessText.isHarmless(scalar) ? String(scalar) : "\\U\(hexadecimal(scalar))"
        }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
