/// Descriptions of which each breaks one rule of docs/spec/plugin-description.md, and is right in everything else.
enum HostileDescription {
    private typealias Wrong = (member: String, values: [String])

    private static let noText = ["7", "true", "null", "[]", "{}"]
    private static let noList = ["7", "true", "null", "{}", "\"x\"", "[7]", "[null]", "[[]]"]
    private static let noFlag = ["7", "\"yes\"", "null", "[]"]
    private static let noNumber = ["\"x\"", "true", "1e99", "[]"]
    private static let empty = "\"\""

    private static func list(_ item: String, _ count: Int) -> String {
        "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
    }

    private static func long(_ count: Int) -> String { "\"" + String(repeating: "a", count: count) + "\"" }

    private static let top: [Wrong] = [
        ("name", noText + [empty, "\"other\""]),
        ("kind", noText + [empty, "\"pump\"", "\"SOURCE\""]),
        ("version", noText + [empty]),
        ("summary", noText + [empty, long(4_097)]),
        ("stability", noText + [empty, "\"shaky\""]),
        ("needs", noList + [list("\"x\"", 65)]),
        ("sees", noList + ["[\"stars\"]", list("\"wire\"", 9)]),
        ("series_limit", noNumber + ["0", "-1", "1.5", "1000001", "null"]),
        ("ends", noFlag + ["true"]),
        ("delivery", noText + ["\"live\"", "\"late\""]),
        ("options", noList + ["[{}]", list("{}", 513)]),
        ("metrics", noList + ["[{}]", list("{}", 4_097)]),
        ("errors", noList + ["[{}]", list("{}", 513)]),
    ]

    private static let option: [Wrong] = [
        ("key", noText + [empty, "\"A\"", "\"9\"", "\"a..b\"", "\"a.\"", "\"\u{e9}\"", long(256)]),
        ("type", noText + [empty, "\"what\"", "\"choice\""]),
        ("help", noText),
        ("default", noText),
        ("required", noFlag),
        ("secret", noFlag),
        ("example", noText),
    ]

    private static let metric: [Wrong] = [
        ("name", noText + [empty]),
        ("kind", noText + [empty, "\"dial\""]),
        ("unit", noText),
        ("attributes", noList + [list("\"x\"", 17)]),
        ("meaning", noText),
    ]

    private static let error: [Wrong] = [
        ("code", noText + [empty]),
        ("meaning", noText),
        ("recovery", noText),
    ]

    /// What is no JSON, or none that is read.
    private static let broken = [
        "{\"name\":\"h\",}", "{'name':'h'}", "{\"name\":\"h\"", "{\"name\":NaN}", "{\"name\":\"\u{1}\"}", "{/**/}",
        "\u{FEFF}{", "{\"a\":[[[[[[[[[[]]]]]]]]]]}", "nul", "\"", "{}{}", "[[[[[[[[[[",
    ]

    /// Every one of them; those that have a name have the one for their place.
    static func all(_ name: (Int) -> String) -> [String] {
        var made: [String] = []
        func object(_ members: [(String, String)], _ member: String, _ value: String?) -> String {
            let rest = members.filter { $0.0 != member } + (value.map { [(member, $0)] } ?? [])
            return "{" + rest.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
        }
        func whole(_ member: String, _ value: String?) -> String {
            let members = [
                ("name", "\"\(name(made.count))\""), ("kind", "\"source\""), ("version", "\"1\""), ("summary", "\"x\""),
            ]
            return object(members, member, value)
        }
        func add(_ wrong: [Wrong], in list: String, of members: [(String, String)]) {
            for (member, values) in wrong {
                for value in values { made.append(whole(list, "[\(object(members, member, value))]")) }
            }
            for (member, _) in members { made.append(whole(list, "[\(object(members, member, nil))]")) }
        }
        for (member, values) in top {
            for value in values { made.append(whole(member, value)) }
        }
        for member in ["name", "kind", "version", "summary"] { made.append(whole(member, nil)) }
        let text = [("key", "\"a\""), ("type", "\"string\""), ("help", "\"x\"")]
        add(option, in: "options", of: text)
        for type in ["integer", "duration", "size", "double"] {
            let numbers: [Wrong] = ["minimum", "maximum"].map { ($0, ["\"x\"", "true", "[]", "null"]) }
            for (member, values) in numbers {
                for value in values {
                    let members = [("key", "\"a\""), ("type", "\"\(type)\""), ("help", "\"x\"")]
                    made.append(whole("options", "[\(object(members, member, value))]"))
                }
            }
        }
        add(metric, in: "metrics", of: [("name", "\"m\""), ("kind", "\"gauge\""), ("meaning", "\"x\"")])
        add(error, in: "errors", of: [("code", "\"X\""), ("meaning", "\"x\""), ("recovery", "\"x\"")])
        return made + broken
    }

    /// The text as a string literal in C.
    static func literal(_ text: String) -> String {
        let bytes = text.utf8.map { byte -> String in
            switch byte {
            case 0x22, 0x5C: "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: String(UnicodeScalar(byte))
            default: "\\" + String(repeating: "0", count: 3 - String(byte, radix: 8).count) + String(byte, radix: 8)
            }
        }
        return "\"" + bytes.joined() + "\""
    }
}
