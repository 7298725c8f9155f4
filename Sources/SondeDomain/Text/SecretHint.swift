/// Recognizes what should not be shown, independent of a schema.
public enum SecretHint {
    private static let words = [
        "token", "password", "passwd", "secret", "bearer", "authorization", "api_key", "apikey",
        "cookie", "passphrase", "credential", "honeycomb_team",
    ]
    .map { Array($0.utf8) }

    // Of several words the last one names the kind of value: `X-License-Key` is a key, `key_file` a file.
    private static let endings = ["_key", "_sig", "_signature", "_auth", "_jwt", "_pwd", "_pass"].map { Array($0.utf8) }

    // Names that are secrets in a query, and too general as a key of a file.
    private static let parameters: Set = ["key", "sig", "signature", "code", "auth", "jwt", "pass", "pwd", "p", "sas"]

    // A longer key is no key: only its end is looked at.
    private static let lengthLimit = 256

    /// Whether a key or the name of a header field looks like that of a secret: `auth_token`, `Authorization`,
    /// `X-License-Key`.
    public static func isLikelyKey(_ key: some StringProtocol) -> Bool {
        // Names of header fields have hyphens where keys of YAML have underscores.
        let folded = key.lowercased().utf8.suffix(lengthLimit).map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
        if endings.contains(where: { folded.count > $0.count && folded.suffix($0.count) == $0[...] }) { return true }
        return words.contains { word in
            guard word.count <= folded.count else { return false }
            return (0...(folded.count - word.count)).contains { folded[$0...].starts(with: word) }
        }
    }

    /// Whether the name of a parameter in a URL's query looks like that of a secret: `api_key`, `sig`.
    public static func isLikelyParameter(_ name: some StringProtocol) -> Bool {
        isLikelyKey(name) || parameters.contains(name.lowercased())
    }

    /// Whether a text is a URL with a user and a password, or a parameter that looks like a secret.
    public static func holdsCredentials(_ text: String) -> Bool {
        withoutCredentials(text) != text
    }

    /// A text; in a URL the user and the password, and values of parameters that look like secrets, read `***`.
    public static func withoutCredentials(_ text: String) -> String {
        guard let authority = text.range(after: "://") else { return text }
        // A password may hold slashes, question marks and at signs: everything up to the last one goes.
        let host = text.lastIndex(of: "@").flatMap { $0 >= authority ? $0 : nil }
        let start = host.map { text[..<authority] + "***" + text[$0...] } ?? text[...]
        guard let mark = start.firstIndex(of: "?") else { return String(start) }
        let query = start[start.index(after: mark)...]
        return start[...mark] + parts(of: query).map(shownPart).joined()
    }

    /// The parameters of a query, each with the separator after it.
    private static func parts(of query: Substring) -> [Substring] {
        var parts: [Substring] = []
        var rest = query
        while let end = rest.firstIndex(where: { $0 == "&" || $0 == ";" || $0 == "#" }) {
            let next = rest.index(after: end)
            parts.append(rest[..<next])
            rest = rest[next...]
        }
        return parts + [rest]
    }

    private static func shownPart(_ part: Substring) -> Substring {
        guard let equals = part.firstIndex(of: "="), isLikelyParameter(part[..<equals]) else { return part }
        let value = part[part.index(after: equals)...]
        let end = value.last.flatMap { "&;#".contains($0) ? String($0) : nil } ?? ""
        return value.utf8.count == end.utf8.count ? part : part[...equals] + "***" + end
    }
}

extension String {
    /// The index after the first `part`, if it is in the text.
    fileprivate func range(after part: StaticString) -> Index? {
        let part = Array("\(part)".utf8)
        return utf8.indices.first { utf8[$0...].starts(with: part) }.map { utf8.index($0, offsetBy: part.count) }
    }
}
