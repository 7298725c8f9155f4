internal import SondeFormats

/// One object of a description: strict about the types of known members, ignoring others.
struct DescriptionObject {
    static let textLimit = 4096

    /// The path of the object, `options[3]`; empty for the outermost one.
    let path: String
    private let value: JSONValue

    init(_ value: JSONValue, path: String) throws(DescriptionFlaw) {
        guard value.asObject != nil else {
            throw DescriptionFlaw("\(path.isEmpty ? "the description" : path) is no object")
        }
        self.value = value
        self.path = path
    }

    /// A required member.
    func text(_ key: String) throws(DescriptionFlaw) -> String {
        guard let text = try optionalText(key) else { throw DescriptionFlaw("\(name(key)) is missing") }
        return text
    }

    /// A required member that is not empty.
    func word(_ key: String) throws(DescriptionFlaw) -> String {
        let text = try text(key)
        guard !text.isEmpty else { throw DescriptionFlaw("\(name(key)) is empty") }
        return text
    }

    func optionalText(_ key: String) throws(DescriptionFlaw) -> String? {
        guard let member = member(key) else { return nil }
        return try text(member, name(key))
    }

    func flag(_ key: String) throws(DescriptionFlaw) -> Bool {
        guard let member = member(key) else { return false }
        guard let flag = member.asBool else { throw DescriptionFlaw("\(name(key)) is neither true nor false") }
        return flag
    }

    func integer(_ key: String) throws(DescriptionFlaw) -> Int64? {
        guard let member = member(key) else { return nil }
        guard let number = member.asInt64 else { throw DescriptionFlaw("\(name(key)) is no 64-bit integer") }
        return number
    }

    func double(_ key: String) throws(DescriptionFlaw) -> Double? {
        guard let member = member(key) else { return nil }
        guard let number = member.asDouble else { throw DescriptionFlaw("\(name(key)) is no number") }
        return number
    }

    /// The strings of an array; none when it is not there.
    func texts(_ key: String, atMost limit: Int) throws(DescriptionFlaw) -> [String] {
        var texts: [String] = []
        for (index, item) in try array(key, atMost: limit).enumerated() {
            texts.append(try text(item, "\(name(key))[\(index)]"))
        }
        return texts
    }

    /// An object; nil when it is not there.
    func object(_ key: String) throws(DescriptionFlaw) -> DescriptionObject? {
        guard let member = member(key) else { return nil }
        return try DescriptionObject(member, path: name(key))
    }

    /// The objects of an array; none when it is not there.
    func objects(_ key: String, atMost limit: Int) throws(DescriptionFlaw) -> [DescriptionObject] {
        var objects: [DescriptionObject] = []
        for (index, item) in try array(key, atMost: limit).enumerated() {
            objects.append(try DescriptionObject(item, path: "\(name(key))[\(index)]"))
        }
        return objects
    }

    /// The path of a member, for messages.
    func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func array(_ key: String, atMost limit: Int) throws(DescriptionFlaw) -> [JSONValue] {
        guard let member = member(key) else { return [] }
        guard let array = member.asArray else { throw DescriptionFlaw("\(name(key)) is no array") }
        guard array.count <= limit else { throw DescriptionFlaw("\(name(key)) has more than \(limit) items") }
        return array
    }

    private func text(_ value: JSONValue, _ name: String) throws(DescriptionFlaw) -> String {
        guard let text = value.asString else { throw DescriptionFlaw("\(name) is no string") }
        guard text.utf8.count <= Self.textLimit else {
            throw DescriptionFlaw("\(name) has more than \(Self.textLimit) bytes")
        }
        return text
    }

    private func member(_ key: String) -> JSONValue? { value[key] }
}
