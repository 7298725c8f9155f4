internal import SondeDomain

extension OptionDefinition {
    static let keyLimit = 255
    static let memberLimit = 32

    /// The option that an object of the description defines.
    init(_ object: DescriptionObject) throws(DescriptionFlaw) {
        let key = try object.word("key")
        guard Self.isKey(key) else {
            throw DescriptionFlaw("\(object.name("key")) '\(key)' is not of the form [a-z][a-z0-9_]*, joined with dots")
        }
        let type = try ValueType(object)
        let fallback = try object.optionalText("default")
        let isSecret = try object.flag("secret")
        if case .entries(let members) = type {
            guard fallback == nil, !isSecret else {
                throw DescriptionFlaw("\(object.name("type")) is 'entries': its members have defaults and secrets")
            }
            // Paths are `key[1023].member`.
            guard members.allSatisfy({ key.utf8.count + $0.key.utf8.count + 7 <= Self.keyLimit }) else {
                throw DescriptionFlaw("\(object.name("members")) make paths of more than \(Self.keyLimit) bytes")
            }
        }
        self.init(
            key,
            type,
            default: fallback,
            required: try object.flag("required"),
            secret: isSecret,
            help: try object.text("help"),
            example: try object.optionalText("example"),
            saving: try Self.saving(object)
        )
    }

    /// A step that this version does not know is one of a later version: the option stays as it is.
    private static func saving(_ object: DescriptionObject) throws(DescriptionFlaw) -> Saving? {
        guard let saving = try object.object("saving") else { return nil }
        let (word, value) = (try saving.word("step"), try saving.text("value"))
        return SavingStep(rawValue: word).map { Saving($0, value) }
    }

    private static func isKey(_ key: String) -> Bool {
        guard key.utf8.count <= keyLimit else { return false }
        return key.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, (0x61...0x7A).contains(first) else { return false }
            return part.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        }
    }
}

extension OptionDefinition.ValueType {
    static let choiceLimit = 256

    /// The type with its range in base units: nanoseconds and bytes.
    fileprivate init(_ object: DescriptionObject) throws(DescriptionFlaw) {
        let word = try object.word("type")
        switch word {
        case "string": self = .string
        case "choice": self = .choice(try Self.words(object))
        case "bool": self = .bool
        case "integer": self = .integer(try Self.range(object, .min))
        case "double": self = .double(try Self.doubleRange(object))
        case "duration":
            let range = try Self.range(object, 0)
            self = .duration(Nanoseconds(range.lowerBound)...Nanoseconds(range.upperBound))
        case "size": self = .size(try Self.range(object, 0))
        case "list": self = .list
        case "map": self = .map
        case "entries": self = .entries(try Self.members(object))
        default: throw DescriptionFlaw("\(object.name("type")) is '\(word)', which is no type of option")
        }
    }

    /// Lists of mappings do not nest.
    private static func members(_ object: DescriptionObject) throws(DescriptionFlaw) -> [OptionDefinition] {
        var members: [OptionDefinition] = []
        for item in try object.objects("members", atMost: OptionDefinition.memberLimit) {
            // Before it is read, so that deep nesting is not followed.
            guard try item.word("type") != "entries" else {
                throw DescriptionFlaw("\(item.name("type")) is 'entries' within 'entries'")
            }
            let member = try OptionDefinition(item)
            guard !member.key.utf8.contains(UInt8(ascii: ".")) else {
                throw DescriptionFlaw("\(item.name("key")) '\(member.key)' has a dot")
            }
            guard !members.contains(where: { $0.key == member.key }) else {
                throw DescriptionFlaw("\(item.name("key")) '\(member.key)' is there twice")
            }
            members.append(member)
        }
        guard !members.isEmpty else { throw DescriptionFlaw("\(object.name("members")) is missing or empty") }
        return members
    }

    private static func words(_ object: DescriptionObject) throws(DescriptionFlaw) -> [String] {
        let words = try object.texts("values", atMost: choiceLimit)
        guard !words.isEmpty else { throw DescriptionFlaw("\(object.name("values")) is missing or empty") }
        return words
    }

    private static func range(
        _ object: DescriptionObject,
        _ least: Int64
    ) throws(DescriptionFlaw) -> ClosedRange<Int64> {
        let minimum = try object.integer("minimum") ?? least
        let maximum = try object.integer("maximum") ?? .max
        guard minimum <= maximum else { throw DescriptionFlaw("\(object.name("minimum")) is above the maximum") }
        return minimum...maximum
    }

    private static func doubleRange(_ object: DescriptionObject) throws(DescriptionFlaw) -> ClosedRange<Double> {
        let minimum = try object.double("minimum") ?? -.greatestFiniteMagnitude
        let maximum = try object.double("maximum") ?? .greatestFiniteMagnitude
        guard minimum <= maximum else { throw DescriptionFlaw("\(object.name("minimum")) is above the maximum") }
        return minimum...maximum
    }
}
