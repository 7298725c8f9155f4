internal import SondeDomain
internal import SondePluginKit

/// One header field of a request.
struct HeaderField: Hashable, Sendable {
    /// The name as it was written.
    let name: String
    /// Printable ASCII only.
    let value: String

    /// Fields that the protocol or this sink writes.
    static let reserved: Set = [
        "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect", "host",
        "keep-alive", "proxy-authorization", "proxy-connection", "retry-attempt", "te", "trailer",
        "transfer-encoding", "upgrade", "user-agent", "x-prometheus-remote-write-version",
    ]
    /// Whether the field looks like a credential.
    var carriesCredentials: Bool { SecretHint.isLikelyKey(name) }

    /// What must not be shown of it: its value, and what follows the scheme in `Token abc`, which a receiver may quote alone.
    var secrets: [String] {
        [value] + (value.firstIndex(of: " ").map { [String(value[value.index(after: $0)...])] } ?? [])
    }

    /// Checks the names of the options `headers` and `header_files`, and the values of the first.
    static func fields(
        _ options: Options,
        authorizationIsTaken: Bool
    ) throws(PluginError) -> (fields: [HeaderField], files: [HeaderFile]) {
        var seen: Set<String> = []
        var fields: [HeaderField] = []
        for (name, value) in options.map("headers") {
            try check(name, "headers", &seen, authorizationIsTaken: authorizationIsTaken)
            fields.append(try HeaderField(checking: value, of: name, "headers"))
        }
        var files: [HeaderFile] = []
        for (name, path) in options.map(HeaderFile.option) {
            try check(name, HeaderFile.option, &seen, authorizationIsTaken: authorizationIsTaken)
            files.append(HeaderFile(name: name, path: path))
        }
        return (fields, files)
    }

    private static func check(
        _ name: String, _ option: String, _ seen: inout Set<String>, authorizationIsTaken: Bool
    ) throws(PluginError) {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
            throw refused(name, option, "is no name of a header", "Use letters, digits and hyphens.")
        }
        let lowercased = name.lowercased()
        guard !reserved.contains(lowercased), !lowercased.hasPrefix("sonde-") else {
            throw refused(name, option, "is written by the sink itself", "Remove it.")
        }
        guard lowercased != "authorization" || !authorizationIsTaken else {
            throw refused(name, option, "is written from auth", "Remove it, or auth.")
        }
        guard seen.insert(lowercased).inserted else {
            throw refused(name, option, "is set twice", "Header names are the same in any case: keep one of them.")
        }
    }

    private static func refused(_ name: String, _ option: String, _ fault: String, _ hint: String) -> PluginError {
        let shown = ForeignText.line(name, limit: 64)
        return .refused(.header, "header '\(shown)' \(fault)", hint: hint, option: "\(option).\(shown)")
    }

    // tchar of RFC 9110, section 5.6.2
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// A header field whose value is a secret in a file, which is read again when it changes.
struct HeaderFile: Hashable, Sendable {
    /// The option that has names and paths.
    static let option = "header_files"

    /// The name as it was written.
    let name: String
    /// Where the value comes from.
    let source: SecretSource

    init(name: String, path: String) {
        self.name = name
        source = .file(path, option: "\(Self.option).\(name)")
    }

    /// The field with what the file holds.
    func field(_ secret: Secret) throws(PluginError) -> HeaderField {
        try HeaderField(checking: secret.reveal(), of: name, Self.option)
    }
}

extension HeaderField {
    /// Checks a field's value.
    ///
    /// A line break in it would begin another field (request splitting): libcurl passes values as they are.
    init(checking value: String, of name: String, _ option: String) throws(PluginError) {
        if let index = value.utf8.firstOffset(where: { !(0x20...0x7e).contains($0) }) {
            throw Self.refused(
                name, option,
                "has a control character or a letter beyond ASCII at byte \(index + 1) of its value",
                "Look for a line break or a tab in it."
            )
        }
        self.init(name: name, value: value)
    }

    /// The fields of one delivery, without those that libcurl writes; the user's own come last.
    static func fields(
        of batch: Batch, points: Int, _ profile: Profile, _ session: any ProfileSession, _ compression: Compression,
        own: [HeaderField]
    ) -> [HeaderField] {
        var fields = [HeaderField(name: "Content-Type", value: session.contentType)]
        if let encoding = compression.contentEncoding {
            fields.append(HeaderField(name: "Content-Encoding", value: encoding))
        }
        fields += session.headers
        if profile.namesBatches {
            fields += [
                HeaderField(name: "Sonde-Batch", value: visible(batch.identity.text)),
                HeaderField(name: "Sonde-Sink", value: visible(batch.sink)),
                HeaderField(name: "Sonde-Points", value: "\(points)"),
            ]
        }
        if batch.attempt > 0 { fields.append(HeaderField(name: "Retry-Attempt", value: "\(batch.attempt)")) }
        return fields + own
    }

    /// The line as libcurl takes it: an empty value needs a semicolon, a colon would remove the field.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }

    // The host hands in plain identifiers; any other character must not end the field and begin another one.
    private static func visible(_ text: String) -> String {
        guard text.utf8.contains(where: { !(0x21...0x7e).contains($0) }) else { return text }
        return text.utf8.map { byte in
            (0x21...0x7e).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
