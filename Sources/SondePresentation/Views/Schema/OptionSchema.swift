import SondeDomain
import SondeFormats

/// The JSON Schema of the values of one option: what the parser of YAML hands to a validator.
///
/// Where a number, a duration or a word is wanted, a text with a reference is right too: its value is known on the host only.
struct OptionSchema {
    /// The definitions that others refer to.
    static let shared: [JSONValue.Member] = [
        JSONValue.Member("text", .members(("type", .strings(["string", "number", "boolean"])))),
        JSONValue.Member(
            "reference",
            .members(
                ("description", "A value with a reference: ${env:NAME}, ${file:/path}, ${cred:name}, ${host:name}."),
                ("type", "string"), ("pattern", #"\$\{"#))),
    ]

    private static let text = JSONValue.members(("$ref", "#/$defs/text"))
    private static let reference = JSONValue.members(("$ref", "#/$defs/reference"))
    private static let durationPattern = "^([0-9]+(d|h|m|s|ms|us|ns))+$"
    private static let sizePattern = "^[0-9]+([Bb]|[KkMmGgTt][Ii]?[Bb])?$"

    let definition: OptionDefinition

    /// The schema with what people are shown of the option.
    func value(_ constraints: [JSONValue.Member]? = nil) -> JSONValue {
        var members = [JSONValue.Member("description", .string(description))]
        members += constraints ?? self.constraints
        if let text = definition.defaultText, let value = defaultValue(text) {
            members.append(JSONValue.Member("default", value))
        }
        return .object(members)
    }

    /// A list whose items are some of these words.
    static func list(of words: [String]) -> [JSONValue.Member] {
        list(anyOf(JSONValue.members(("enum", .strings(words)))))
    }

    /// A list of texts, or one text.
    static let textOrList: [JSONValue.Member] = [
        anyOf(
            text, .members(("type", "array"), ("items", text), ("minItems", .integer(1))))
    ].flatMap { $0 }

    /// Texts that match a pattern and are none of some words.
    static func text(matching pattern: String, except words: [String]) -> [JSONValue.Member] {
        anyOf(
            .members(
                ("type", "string"), ("pattern", .string(pattern)), ("not", .members(("enum", .strings(words.sorted()))))
            ),
            .members(("type", "integer")), reference)
    }

    private var constraints: [JSONValue.Member] {
        switch definition.type {
        case .string: [JSONValue.Member("$ref", "#/$defs/text")]
        case .choice(let words): Self.anyOf(.members(("enum", .array(words.flatMap(Self.written)))), Self.reference)
        case .bool: Self.anyOf(.members(("type", "boolean")), Self.reference)
        case .integer(let range): Self.anyOf(Self.integer(range), Self.reference)
        case .double(let range): Self.anyOf(Self.number(range), Self.reference)
        case .duration: Self.anyOf(Self.string(Self.durationPattern), Self.reference)
        case .size(let range): Self.anyOf(Self.integer(range), Self.string(Self.sizePattern), Self.reference)
        case .list: Self.list([JSONValue.Member("$ref", "#/$defs/text")])
        case .map: [.init("type", .strings(["object", "null"])), .init("additionalProperties", Self.text)]
        case .entries(let members): Self.list(OptionTree(members).members, limit: 1_024)
        }
    }

    private var description: String {
        let range = definition.isSecret || Self.hasRange(definition.type) ? " (\(definition.typeText))" : ""
        return definition.help + range
    }

    private func defaultValue(_ text: String) -> JSONValue? {
        switch definition.type {
        case .string, .choice, .duration, .size: .string(text)
        case .bool: .bool(text == "true")
        case .integer: Int64(text).map(JSONValue.integer)
        case .double: Double(text).map(JSONValue.double)
        // Their defaults are YAML of more than one value; the help of a key says what they mean.
        case .list, .map, .entries: nil
        }
    }

    private static func hasRange(_ type: OptionDefinition.ValueType) -> Bool {
        switch type {
        case .integer, .double, .duration, .size: true
        case .string, .choice, .bool, .list, .map, .entries: false
        }
    }

    /// A word as YAML reads it without quotes, where that is no text, and as text.
    private static func written(_ word: String) -> [JSONValue] {
        if let number = Int64(word) { return [.string(word), .integer(number)] }
        if let number = Double(word), number.isFinite { return [.string(word), .double(number)] }
        if let flag = Bool(word) { return [.string(word), .bool(flag)] }
        return [.string(word)]
    }

    private static func integer(_ range: ClosedRange<Int64>) -> JSONValue {
        var members = [JSONValue.Member("type", "integer")]
        if range.lowerBound > .min { members.append(.init("minimum", .integer(range.lowerBound))) }
        if range.upperBound < .max { members.append(.init("maximum", .integer(range.upperBound))) }
        return .object(members)
    }

    private static func number(_ range: ClosedRange<Double>) -> JSONValue {
        var members = [JSONValue.Member("type", "number")]
        let widest = Double.greatestFiniteMagnitude
        if range.lowerBound > -widest { members.append(.init("minimum", .double(range.lowerBound))) }
        if range.upperBound < widest { members.append(.init("maximum", .double(range.upperBound))) }
        return .object(members)
    }

    private static func string(_ pattern: String) -> JSONValue {
        .members(("type", "string"), ("pattern", .string(pattern)))
    }

    private static func list(_ items: [JSONValue.Member], limit: Int64? = nil) -> [JSONValue.Member] {
        [.init("type", .strings(["array", "null"])), .init("items", .object(items))]
            + (limit.map { [.init("maxItems", .integer($0))] } ?? [])
    }

    private static func anyOf(_ schemas: JSONValue...) -> [JSONValue.Member] {
        [.init("anyOf", .array(schemas))]
    }
}

extension JSONValue {
    /// An object with these members.
    static func members(_ members: (String, JSONValue)...) -> JSONValue {
        .object(members.map { Member($0.0, $0.1) })
    }

    /// An array of strings.
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
