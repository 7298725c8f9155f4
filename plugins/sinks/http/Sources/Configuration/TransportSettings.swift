internal import SondeDomain
internal import SondePluginKit

/// How a receiver is reached: everything that does not depend on what is sent to it.
struct TransportSettings: Sendable {
    /// How long one delivery may take without a configured value.
    static let defaultTimeout = Nanoseconds.seconds(30)
    /// How long a connection may take without a configured value.
    static let defaultConnectTimeout = Nanoseconds.seconds(5)

    /// Where requests go.
    private(set) var endpoint: Endpoint
    /// What authenticates the agent.
    let credentials: Credentials
    /// Bound on one exchange as a whole.
    let timeout: Nanoseconds
    /// Bound on only the connection, name resolution and handshake included.
    let connectTimeout: Nanoseconds
    /// How the receiver is verified and the agent authenticates itself.
    private(set) var tls: TLSSettings
    /// The proxy.
    let proxy: ProxyChoice
    /// Header fields of the user's own, in the order of the file.
    let headers: [HeaderField]
    /// Those whose values are in files.
    let headerFiles: [HeaderFile]
    /// `User-Agent`.
    let userAgent: String

    /// Reads and checks the options; the first invalid one is named.
    ///
    /// Accesses only the files of `tls`, which it opens for reading.
    init(_ options: Options, userAgent: String) throws(PluginError) {
        endpoint = try Endpoint(options.string("url") ?? "", option: "url")
        credentials = try Credentials(options)
        timeout = options.duration("timeout") ?? Self.defaultTimeout
        connectTimeout = options.duration("connect_timeout") ?? Self.defaultConnectTimeout
        tls = try TLSSettings(options)
        proxy = try ProxyChoice(options.string("proxy") ?? "")
        (headers, headerFiles) = try HeaderField.fields(options, authorizationIsTaken: credentials.isSet)
        self.userAgent = userAgent
    }

    /// The same way to another server.
    func directed(to endpoint: Endpoint) -> TransportSettings {
        var settings = self
        settings.endpoint = endpoint
        settings.tls.serverName = nil
        return settings
    }

    /// Refuses credentials, in `auth`, in header fields or in the query of the URL, that would travel unencrypted.
    func refuseOpenCredentials(isAllowed: Bool) throws(PluginError) {
        guard !isAllowed else { return }
        if case .oauth2(let client) = credentials, !client.endpoint.isPrivate {
            throw Self.open("auth.oauth2.client_secret", on: client.endpoint, option: "auth.oauth2.token_url")
        }
        guard !endpoint.isPrivate else { return }
        let carrier = headers.first { $0.carriesCredentials }.map { "headers.\($0.name)" }
        let file = headerFiles.first.map { "\(HeaderFile.option).\($0.name)" }
        if let option = credentials.option ?? carrier ?? file { throw Self.open(option, on: endpoint, option: option) }
        let parameter = endpoint.parameters.first { !$0.value.isEmpty && SecretHint.isLikelyParameter($0.name) }
        guard let parameter else { return }
        let name = ForeignText.line(parameter.name, limit: 64)
        throw Self.open("the parameter '\(name)' of url", on: endpoint, option: "url")
    }

    private static func open(_ credential: String, on endpoint: Endpoint, option: String) -> PluginError {
        .refused(
            .credentials, "\(credential) would travel unencrypted to \(endpoint.display)",
            hint: "Use an https:// url, or set allow_insecure: true where no other host can listen.", option: option)
    }
}

extension TransportSettings {
    private static let patience = OptionDefinition.ValueType.duration(.milliseconds(100)...(.seconds(600)))

    /// Where requests go.
    static let urlOption = OptionDefinition(
        "url",
        .string,
        required: true,
        help: "Where batches are posted to: http or https, without a user and a password in it, or"
            + " unix:///path/of/socket:/path.",
        example: "https://metrics.example.net/api/v1/lines"
    )

    /// Every other option that is read here.
    static let options = [
        OptionDefinition(
            "auth.bearer",
            .string,
            secret: true,
            help: "A token, sent as Authorization: Bearer.",
            example: "\"${file:/etc/sonde/token}\""
        ),
        OptionDefinition(
            "auth.bearer_file", .string, help: "A file with the token; it is read again when it changes.",
            example: "/var/run/secrets/token"),
        OptionDefinition("auth.basic.username", .string, help: "The user of basic authentication.", example: "sonde"),
        OptionDefinition(
            "auth.basic.password",
            .string,
            secret: true,
            help: "The password of basic authentication.",
            example: "\"${file:/etc/sonde/password}\""
        ),
        OptionDefinition(
            "auth.basic.password_file", .string,
            help: "A file with the password; it is read again when it changes.", example: "/run/credentials/password"),
        OptionDefinition(
            "auth.oauth2.token_url", .string,
            help: "Where access tokens come from, by the client credentials of OAuth 2.0.",
            example: "https://login.example.net/oauth2/token"),
        OptionDefinition("auth.oauth2.client_id", .string, help: "The client's identifier.", example: "sonde"),
        OptionDefinition(
            "auth.oauth2.client_secret", .string, secret: true, help: "The client's secret.",
            example: "\"${file:/etc/sonde/client-secret}\""),
        OptionDefinition(
            "auth.oauth2.client_secret_file", .string,
            help: "A file with the client's secret; it is read again when it changes.",
            example: "/run/credentials/client-secret"),
        OptionDefinition(
            "auth.oauth2.scopes", .list, help: "The scopes to ask for.", example: "[metrics.write]"),
        OptionDefinition(
            "auth.oauth2.params", .map, help: "Further parameters of the request for a token.",
            example: "{ audience: metrics }"),
        OptionDefinition(
            "allow_insecure",
            .bool,
            default: "false",
            help: "Allows credentials over http://; certificates of https:// are verified all the same."
        ),
        OptionDefinition("timeout", patience, default: "30s", help: "The most that one delivery may take."),
        OptionDefinition(
            "connect_timeout",
            patience,
            default: "5s",
            help: "The most that a connection may take, name resolution and TLS handshake included."
        ),
        OptionDefinition(
            "tls.ca_file",
            .string,
            help: "PEM file with the certificate authorities of the receiver, in place of the system's.",
            example: "/etc/sonde/ca.pem"
        ),
        OptionDefinition(
            "tls.cert_file",
            .string,
            help: "PEM file with the agent's own certificate.",
            example: "/etc/sonde/agent.pem"
        ),
        OptionDefinition(
            "tls.key_file",
            .string,
            help: "PEM file with its key; without it the key is looked for in tls.cert_file.",
            example: "/etc/sonde/agent.key"
        ),
        OptionDefinition(
            "tls.min_version",
            .choice(TLSSettings.MinimumVersion.allCases.map(\.rawValue)),
            default: TLSSettings.MinimumVersion.v1v2.rawValue,
            help: "The oldest version of TLS that is spoken."
        ),
        OptionDefinition(
            "tls.server_name", .string,
            help: "The name that the receiver's certificate must have, in place of that in url.",
            example: "metrics.example.net"),
        OptionDefinition(
            "proxy",
            .string,
            default: "\"\"",
            help: "The URL of a proxy (http, https, socks5, socks5h); env: as the environment says; empty: none.",
            example: "http://proxy.example.net:3128"
        ),
    ]
}
