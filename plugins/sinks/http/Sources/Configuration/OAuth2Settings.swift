internal import SondeDomain
internal import SondePluginKit

/// Where the agent gets access tokens, and what it shows there: the client credentials of RFC 6749, section 4.4.
struct OAuth2Settings: Hashable, Sendable {
    /// The token endpoint.
    let endpoint: Endpoint
    /// The client's identifier.
    let clientID: String
    /// Its secret.
    let clientSecret: SecretSource
    /// Parameters of the request beside `grant_type`: `scope`, and those of `auth.oauth2.params`.
    let parameters: [Attribute]

    /// Reads the options under `auth.oauth2`; nil: none is set.
    init?(_ options: Options) throws(PluginError) {
        let url = options.string("auth.oauth2.token_url")
        let client = options.string("auth.oauth2.client_id")
        let secret = try SecretSource("auth.oauth2.client_secret", options)
        let scopes = options.list("auth.oauth2.scopes")
        guard url != nil || client != nil || secret != nil || !scopes.isEmpty else { return nil }
        guard let url else { throw Self.missing("token_url") }
        guard let client, !client.isEmpty else { throw Self.missing("client_id") }
        guard let secret else { throw Self.missing("client_secret") }
        endpoint = try Endpoint(url, option: "auth.oauth2.token_url")
        clientID = client
        clientSecret = secret
        let scope = scopes.isEmpty ? [] : [Attribute("scope", scopes.joined(separator: " "))]
        parameters = scope + options.map("auth.oauth2.params").map { Attribute($0.key, $0.value) }
    }

    private static func missing(_ option: String) -> PluginError {
        .refused(
            .credentials, "auth.oauth2.\(option) is missing", hint: "Give token_url, client_id and client_secret.",
            option: "auth.oauth2.\(option)")
    }
}
