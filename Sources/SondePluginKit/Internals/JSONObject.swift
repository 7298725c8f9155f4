/// Writes one JSON object of a plugin's description.
///
/// The kit is beside SondeFormats, not above it, so it writes its few objects itself.
struct JSONObject {
    private var members = ""

    /// The object.
    var text: String { "{\(members)}" }

    mutating func add(_ key: String, _ value: String) {
        add(key, raw: Self.quoted(value))
    }

    mutating func add(_ key: String, raw: String) {
        if !members.isEmpty { members += "," }
        members += Self.quoted(key)
        members += ":"
        members += raw
    }

    mutating func addRange(_ type: String, _ minimum: String, _ maximum: String) {
        add("type", type)
        add("minimum", raw: minimum)
        add("maximum", raw: maximum)
    }

    static func array(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

    static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: needsEscape) else { return "\"\(text)\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
