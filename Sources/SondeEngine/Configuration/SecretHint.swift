/// Tells what should not be shown, whatever a schema says.
public enum SecretHint {
    private static let words = [
        "token", "password", "passwd", "secret", "bearer", "authorization", "api_key", "apikey",
        "cookie", "passphrase", "credential",
    ]
    .map { Array($0.utf8) }

    // A longer key is no key: only its end is looked at.
    private static let lengthLimit = 256

    /// Whether a key looks like that of a secret: `auth_token`, `Authorization`, `X-API-Key`.
    public static func isLikelyKey(_ key: String) -> Bool {
        // Names of header fields have hyphens where keys of YAML have underscores.
        let folded = key.lowercased().utf8.suffix(lengthLimit).map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
        return words.contains { word in
            guard word.count <= folded.count else { return false }
            return (0...(folded.count - word.count)).contains { folded[$0...].starts(with: word) }
        }
    }

    /// Whether a text is a URL with a user and a password in it: `https://user:password@host`.
    public static func holdsCredentials(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let separator = Array("://".utf8)
        return (0..<at).contains { bytes[$0..<at].starts(with: separator) }
    }
}
