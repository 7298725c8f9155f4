internal import SondeDomain
internal import SondePluginKit

/// What authenticates the agent to the receiver.
enum Credentials: Hashable, Sendable {
    case none
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(Secret)
    /// `Authorization: Basic …` (RFC 7617).
    case basic(username: String, password: Secret)

    /// Reads `auth.bearer`, or `auth.basic.username` and `auth.basic.password`.
    init(_ options: Options) throws(PluginError) {
        let bearer = options.string("auth.bearer")
        let username = options.string("auth.basic.username")
        let password = options.string("auth.basic.password")
        switch (bearer, username, password) {
        case (nil, nil, nil): self = .none
        case (let token?, nil, nil): self = .bearer(try Self.token(token))
        case (nil, let username?, let password?):
            self = .basic(username: try Self.username(username), password: try Self.password(password))
        case (nil, _?, nil):
            throw Self.refused("auth.basic.password", "is missing", "Give both, or neither.")
        case (nil, nil, _?):
            throw Self.refused("auth.basic.username", "is missing", "Give both, or neither.")
        default:
            throw Self.refused("auth.bearer", "is set beside auth.basic", "Keep one of the two.")
        }
    }

    /// Whether the sink writes the `Authorization` field.
    var isSet: Bool { self != .none }

    /// The option to name, or nil for none.
    var option: String? {
        switch self {
        case .none: nil
        case .bearer: "auth.bearer"
        case .basic: "auth.basic.password"
        }
    }

    /// The secrets that are sent; Base64 makes one text of user and password.
    var secrets: [String] {
        switch self {
        case .none: []
        case .bearer(let token): [token.reveal()]
        case .basic(let username, let password):
            [password.reveal(), "\(username):\(password.reveal())"]
        }
    }

    private static func token(_ text: String) throws(PluginError) -> Secret {
        guard !text.isEmpty else {
            throw refused("auth.bearer", "is empty", "Leave it out when the receiver wants none.")
        }
        if let index = text.utf8.firstOffset(where: { !(0x21...0x7e).contains($0) }) {
            throw refused(
                "auth.bearer",
                "has a character at byte \(index + 1) that a token cannot have",
                "Look for a space, a line break or a byte order mark in it."
            )
        }
        return Secret(text)
    }

    private static func username(_ text: String) throws(PluginError) -> String {
        guard !text.utf8.contains(0x3a) else {
            throw refused("auth.basic.username", "has a colon", "A user name of basic authentication cannot have one.")
        }
        return try withoutControls(text, "auth.basic.username")
    }

    private static func password(_ text: String) throws(PluginError) -> Secret {
        Secret(try withoutControls(text, "auth.basic.password"))
    }

    private static func withoutControls(_ text: String, _ option: String) throws(PluginError) -> String {
        if let index = text.utf8.firstOffset(where: { $0 < 0x20 || $0 == 0x7f }) {
            throw refused(option, "has a control character at byte \(index + 1)", "Look for a line break in it.")
        }
        return text
    }

    private static func refused(_ option: String, _ fault: String, _ hint: String) -> PluginError {
        .refused(.credentials, "\(option) \(fault)", hint: hint, option: option)
    }
}
