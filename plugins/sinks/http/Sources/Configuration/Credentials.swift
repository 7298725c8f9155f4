internal import SondeDomain
internal import SondePluginKit

/// What authenticates the agent to the receiver.
enum Credentials: Hashable, Sendable {
    case none
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(SecretSource)
    /// `Authorization: Basic …` (RFC 7617).
    case basic(username: String, password: SecretSource)
    /// `Authorization: Bearer …` with a token from a token endpoint (RFC 6749, section 4.4).
    case oauth2(OAuth2Settings)

    /// Reads `auth.bearer`, `auth.basic` or `auth.oauth2`.
    init(_ options: Options) throws(PluginError) {
        let bearer = try SecretSource("auth.bearer", options)
        let username = options.string("auth.basic.username")
        let password = try SecretSource("auth.basic.password", options)
        if let client = try OAuth2Settings(options) {
            guard bearer == nil, username == nil, password == nil else {
                throw Self.refused("auth.oauth2.token_url", "is set beside other credentials", "Keep one of them.")
            }
            self = .oauth2(client)
            return
        }
        switch (bearer, username, password) {
        case (nil, nil, nil): self = .none
        case (let token?, nil, nil):
            if let text = token.text { _ = try Self.checkedToken(text, "auth.bearer") }
            self = .bearer(token)
        case (nil, let username?, let password?):
            if let text = password.text { _ = try Self.withoutControls(text.reveal(), "auth.basic.password") }
            self = .basic(username: try Self.username(username), password: password)
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
        case .oauth2: "auth.oauth2.client_secret"
        }
    }

    /// The secrets of the configuration that are sent; Base64 makes one text of user and password.
    var secrets: [String] {
        switch self {
        case .none: []
        case .bearer(let token): [token.text].compactMap { $0?.reveal() }
        case .basic(let username, let password):
            password.text.map { [$0.reveal(), "\(username):\($0.reveal())"] } ?? []
        case .oauth2(let client): [client.clientSecret.text].compactMap { $0?.reveal() } + client.endpoint.secrets
        }
    }

    /// A token that may be in a header field.
    static func checkedToken(_ token: Secret, _ option: String) throws(PluginError) -> Secret {
        let text = token.reveal()
        guard !text.isEmpty else {
            throw refused(option, "is empty", "Leave it out when the receiver wants none.")
        }
        if let index = text.utf8.firstOffset(where: { !(0x21...0x7e).contains($0) }) {
            throw refused(
                option,
                "has a character at byte \(index + 1) that a token cannot have",
                "Look for a space, a line break or a byte order mark in it."
            )
        }
        return token
    }

    private static func username(_ text: String) throws(PluginError) -> String {
        guard !text.utf8.contains(0x3a) else {
            throw refused("auth.basic.username", "has a colon", "A user name of basic authentication cannot have one.")
        }
        return try withoutControls(text, "auth.basic.username")
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
