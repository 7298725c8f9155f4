internal import SondeDomain
internal import SondePluginKit

/// Authenticates the requests of one instance: reads secrets from files that have changed, and gets access tokens.
///
/// Used from the instance's thread only.
final class Authorization {
    /// What libcurl writes into a request.
    enum Field {
        case none
        case bearer(Secret)
        case basic(username: String, password: Secret)
    }

    // Those of a request, and of the ones before it that a receiver may still quote.
    private static let keptSecrets = 256

    /// The secrets that were sent or received last, for those that hide them.
    private(set) var secrets: [String] = []
    /// How many there have been.
    private(set) var secretCount = 0

    private let credentials: Credentials
    private let headerFiles: [HeaderFile]
    private var files = SecretFiles()
    private var tokens: AccessTokens?

    /// What `settings` say.
    init(_ settings: TransportSettings) {
        credentials = settings.credentials
        headerFiles = settings.headerFiles
        if case .oauth2(let client) = credentials { tokens = AccessTokens(client, settings) }
    }

    /// Reads each file once, so that one that cannot be used is found before the first request.
    func check() throws(PluginError) {
        switch credentials {
        case .none: break
        case .bearer(let source): _ = try Credentials.checkedToken(secret(source), "auth.bearer")
        case .basic(_, let source): _ = try secret(source)
        case .oauth2(let client): _ = try secret(client.clientSecret)
        }
        _ = try headers()
    }

    /// The header fields whose values are in files, as the files are now.
    func headers() throws(PluginError) -> [HeaderField] {
        var fields: [HeaderField] = []
        for file in headerFiles {
            let field = try file.field(files.secret(file.source))
            field.secrets.forEach(hide)
            fields.append(field)
        }
        return fields
    }

    /// What the next request carries; may ask the token endpoint, until `deadline` at most.
    func field(
        _ session: CurlSession, until deadline: MonotonicInstant, cancel: Int32
    ) throws(PluginError) -> Field {
        switch credentials {
        case .none: return .none
        case .bearer(let source):
            return .bearer(try Credentials.checkedToken(secret(source), "auth.bearer"))
        case .basic(let username, let source):
            return .basic(username: username, password: try secret(source))
        case .oauth2(let client):
            guard let tokens else { return .none }
            let secret = try secret(client.clientSecret)
            let token = try tokens.token(secret, session, until: deadline, cancel: cancel)
            hide(token.reveal())
            return .bearer(token)
        }
    }

    /// Drops an access token that the receiver has refused; false: there is none that could be renewed.
    func renews() -> Bool { tokens?.drop() ?? false }

    private func secret(_ source: SecretSource) throws(PluginError) -> Secret {
        let secret = try files.secret(source)
        hide(secret.reveal())
        return secret
    }

    /// Tokens are renewed without end: the ones that were not used for longest are forgotten.
    private func hide(_ secret: String) {
        if let index = secrets.firstIndex(of: secret) {
            secrets.remove(at: index)
        } else {
            secretCount += 1
        }
        secrets.append(secret)
        if secrets.count > Self.keptSecrets { secrets.removeFirst() }
    }
}
