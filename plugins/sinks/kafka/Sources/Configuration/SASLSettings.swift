internal import SondeDomain
internal import SondePluginKit

/// What authenticates the agent to the brokers.
struct SASLSettings: Hashable, Sendable {
    /// The words of the option `sasl.mechanism`, which are Kafka's.
    enum Mechanism: String, CaseIterable, Sendable {
        case plain = "PLAIN"
        case scram256 = "SCRAM-SHA-256"
        case scram512 = "SCRAM-SHA-512"
    }

    /// Where the password comes from.
    private enum Source: Hashable {
        case text(Secret)
        case file(String)
    }

    /// How the password is shown to be known.
    let mechanism: Mechanism
    /// The user.
    let username: String
    private let password: Source

    /// Reads the options under `sasl`; nil: there are none.
    init?(_ options: Options) throws(PluginError) {
        let text = options.string("sasl.password")
        let file = options.string("sasl.password_file")
        let username = options.string("sasl.username")
        guard let word = options.string("sasl.mechanism") else {
            guard text == nil, file == nil, username == nil else {
                throw Self.refused("sasl.mechanism", "is missing beside a user or a password", "Set it, PLAIN perhaps.")
            }
            return nil
        }
        guard let mechanism = Mechanism(rawValue: word) else {
            throw Self.refused("sasl.mechanism", "is not known", "Use PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512.")
        }
        guard let username, !username.isEmpty else {
            throw Self.refused("sasl.username", "is missing", "Give the user and the password.")
        }
        (self.mechanism, self.username) = (mechanism, username)
        switch (text, file) {
        case (let text?, nil): password = .text(Secret(text))
        case (nil, let file?): password = .file(file)
        case (nil, nil):
            throw Self.refused("sasl.password", "is missing", "Give it, or sasl.password_file.")
        default:
            throw Self.refused("sasl.password_file", "is set beside sasl.password", "Keep one of the two.")
        }
        guard !username.utf8.contains(0) else { throw Self.refused("sasl.username", "has a NUL byte", "Remove it.") }
        _ = try secret()
    }

    /// The password; that of a file as it is now, without line feeds at its end.
    func secret() throws(PluginError) -> Secret {
        switch password {
        case .text(let secret):
            return try Self.checked(secret, "sasl.password")
        case .file(let path):
            var bytes: [UInt8]
            do throws(RegularFile.Fault) {
                bytes = try RegularFile(path).bytes(limit: 64 << 10)
            } catch {
                throw Self.refused(
                    "sasl.password_file", "'\(ForeignText.line(path, limit: 256))': \(error.text)",
                    "Check the path, and that the agent's user may read the file.")
            }
            while bytes.last == 0x0a || bytes.last == 0x0d { bytes.removeLast() }
            return try Self.checked(Secret(String(decoding: bytes, as: UTF8.self)), "sasl.password_file")
        }
    }

    private static func checked(_ secret: Secret, _ option: String) throws(PluginError) -> Secret {
        guard !secret.reveal().isEmpty else { throw refused(option, "is empty", "Give the password.") }
        // It ends a string of C.
        guard !secret.reveal().utf8.contains(0) else { throw refused(option, "has a NUL byte", "Remove it.") }
        return secret
    }

    private static func refused(_ option: String, _ fault: String, _ hint: String) -> PluginError {
        .refused(.credentials, "\(option) \(fault)", hint: hint, option: option)
    }

    /// The options that are read here.
    static let options = [
        OptionDefinition(
            "sasl.mechanism", .choice(Mechanism.allCases.map(\.rawValue)),
            help: "How the agent authenticates itself; without it, not by SASL."),
        OptionDefinition("sasl.username", .string, help: "The user.", example: "sonde"),
        OptionDefinition(
            "sasl.password", .string, secret: true, help: "The password.", example: "\"${file:/etc/sonde/password}\""),
        OptionDefinition(
            "sasl.password_file", .string,
            help: "A file with the password; it is read again by each new client, and so where brokers refuse it.",
            example: "/run/credentials/password"),
    ]
}
