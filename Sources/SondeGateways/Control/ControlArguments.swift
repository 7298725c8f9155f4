internal import SondeDomain
internal import SondeFormats

/// The members of a request beside its name, checked.
struct ControlArguments {
    private let request: JSONValue

    init(_ request: JSONValue) {
        self.request = request
    }

    /// A text; nil: the member is not there.
    func text(_ key: String) throws(SondeError) -> String? {
        guard let member = request[key] else { return nil }
        guard let text = member.asString else { throw Self.wrong("'\(key)' is not a text") }
        return text
    }

    /// A text that must be there.
    func requiredText(_ key: String) throws(SondeError) -> String {
        guard let text = try text(key) else { throw Self.wrong("'\(key)' is missing") }
        return text
    }

    /// Texts; none: the member is not there.
    func texts(_ key: String) throws(SondeError) -> [String] {
        guard let member = request[key] else { return [] }
        let texts = member.asArray?.compactMap(\.asString)
        guard let texts, texts.count == member.asArray?.count else {
            throw Self.wrong("'\(key)' is not a list of texts")
        }
        return texts
    }

    /// A number that is not negative; nil: the member is not there.
    func number(_ key: String) throws(SondeError) -> UInt64? {
        guard let member = request[key] else { return nil }
        guard let number = member.asUInt64 else { throw Self.wrong("'\(key)' is not a whole number") }
        return number
    }

    /// A page's length, at least 1 and at most `bound`.
    func limit(_ bound: Int) throws(SondeError) -> Int {
        guard let asked = try number("limit") else { return bound }
        return max(1, min(bound, Int(clamping: asked)))
    }

    /// Whether a member is there and true.
    func flag(_ key: String) throws(SondeError) -> Bool {
        guard let member = request[key] else { return false }
        guard let flag = member.asBool else { throw Self.wrong("'\(key)' is neither true nor false") }
        return flag
    }

    /// An instant; nil: the member is not there.
    func instant(_ key: String) throws(SondeError) -> Timestamp? {
        guard let text = try text(key) else { return nil }
        guard let instant = InstantText.parse(text) else {
            throw Self.wrong("'\(key)' is not an instant like 2026-01-01T00:00:00.000Z")
        }
        return instant
    }

    /// A span; nil: the member is not there.
    func duration(_ key: String) throws(SondeError) -> Nanoseconds? {
        guard let text = try text(key) else { return nil }
        guard let span = try? DurationText.parse(text) else {
            throw Self.wrong("'\(key)' is not a duration like 24h or 30d")
        }
        return span
    }

    /// A failure that a member of the request has caused.
    static func wrong(_ what: String) -> SondeError {
        SondeError(control: .controlArgumentInvalid, what)
    }
}
