import SondeDomain
import SondeEngine

/// Checks `agent.remote` as a whole.
struct RemoteSettingsCheck {
    // Of an Ed25519 SubjectPublicKeyInfo (RFC 8410) the first 12 of 44 bytes are always the same.
    private static let keyStart = "MCowBQYDK2VwAyEA"
    private static let keyLength = 60
    private static let local = ["127.0.0.1", "[::1]", "localhost"]

    let reading: ConfigurationReading

    func check(_ options: OptionReader) {
        for key in ["url", "ca_file", "proxy"] { checkCharacters(options, "remote.\(key)") }
        if let text = options.values.string("remote.public_key"), !Self.isKey(text) {
            report(options, "remote.public_key", "is no Ed25519 key", "write the middle line of 'openssl pkey -pubout'")
        }
        if case .secret(let token)? = options.values["remote.auth.bearer"], !Self.isOneLine(token.reveal()) {
            report(options, "remote.auth.bearer", "is no token", "it is one line without control characters")
        }
        guard let url = options.values.string("remote.url") else { return }
        if let flaw = Self.flaw(of: url) { report(options, "remote.url", flaw, nil) }
        require(options, "remote.public_key", "without it no signature can be checked")
        require(options, "state_dir", "the last good one is kept there")
    }

    private func require(_ options: OptionReader, _ key: String, _ reason: String) {
        guard options.values[key] == nil, options.marks[key] == nil else { return }
        reading.report(
            .missingKey, at: options.marks["remote.url"] ?? options.ownerMark,
            "'agent.remote' needs \(Shown.text("agent.\(key)"))", suggestion: reason)
    }

    private func checkCharacters(_ options: OptionReader, _ key: String) {
        guard let text = options.values.string(key), !Self.isOneLine(text) else { return }
        report(options, key, "has characters that it cannot have", nil)
    }

    private func report(_ options: OptionReader, _ key: String, _ flaw: String, _ suggestion: String?) {
        reading.report(
            .malformedName, at: options.marks[key] ?? options.ownerMark, "\(Shown.text(key)) \(flaw)",
            suggestion: suggestion)
    }

    private static func isOneLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }

    private static func isKey(_ text: String) -> Bool {
        text.utf8.count == keyLength && text.hasPrefix(keyStart) && text.hasSuffix("=")
            && text.utf8.dropLast().allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }

    /// What is wrong with an address; nil: nothing.
    private static func flaw(of url: String) -> String? {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard ["https", "http"].contains(scheme), url.dropFirst(scheme.count).hasPrefix("://") else {
            return "is no address with https"
        }
        let authority = url.dropFirst(scheme.count + 3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return "holds a user or password: use 'remote.auth.bearer'" }
        let end = authority.hasSuffix("]") ? authority.endIndex : authority.lastIndex(of: ":") ?? authority.endIndex
        let host = authority[..<end].lowercased()
        guard !host.isEmpty else { return "names no host" }
        guard scheme == "https" || local.contains(host) else {
            return "is not encrypted: only this host itself may be asked over http"
        }
        return nil
    }
}
