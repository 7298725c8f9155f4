internal import SondeDomain
internal import SondeFormats

extension HTTPSink {
    private static let patience = OptionDefinition.ValueType.duration(.milliseconds(100)...(.seconds(600)))

    static let requestOptions = [
        OptionDefinition(
            "url",
            .string,
            required: true,
            help: "Where batches are posted to; http or https, without a user and a password in it.",
            example: "https://metrics.example.net/api/v1/lines"
        ),
        OptionDefinition(
            "format",
            .choice([LineFormat.json.rawValue]),
            default: LineFormat.json.rawValue,
            help: "How a batch is written: json is one JSON object per line."
        ),
        OptionDefinition(
            "headers",
            .map,
            help: "Further header fields; those that the sink writes itself are refused.",
            example: "{ X-Scope-OrgID: fra1 }"
        ),
    ]

    static let credentialOptions = [
        OptionDefinition(
            "auth.bearer",
            .string,
            secret: true,
            help: "A token, sent as Authorization: Bearer.",
            example: "\"${file:/etc/sonde/token}\""
        ),
        OptionDefinition("auth.basic.username", .string, help: "The user of basic authentication.", example: "sonde"),
        OptionDefinition(
            "auth.basic.password",
            .string,
            secret: true,
            help: "The password of basic authentication.",
            example: "\"${file:/etc/sonde/password}\""
        ),
        OptionDefinition(
            "allow_insecure",
            .bool,
            default: "false",
            help: "Allows credentials over http://; certificates of https:// are verified all the same."
        ),
    ]

    static let connectionOptions = [
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
            help: "PEM file with who vouches for the receiver, instead of whom the system trusts.",
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
            "proxy",
            .string,
            default: "\"\"",
            help: "The URL of a proxy (http, https, socks5, socks5h); env: as the environment says; empty: none.",
            example: "http://proxy.example.net:3128"
        ),
    ]
}
