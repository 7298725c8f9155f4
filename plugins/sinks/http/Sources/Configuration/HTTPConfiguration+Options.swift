internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

extension HTTPConfiguration {
    /// How long one delivery may take when the configuration does not say.
    static let defaultTimeout = Nanoseconds.seconds(30)
    /// How long a connection may take when the configuration does not say.
    static let defaultConnectTimeout = Nanoseconds.seconds(5)

    /// Reads and checks the options; the first one at fault is named.
    ///
    /// Touches nothing but the files of `tls`, which it opens for reading.
    init(_ options: Options) throws(PluginError) {
        endpoint = try Endpoint(options.string("url") ?? "", option: "url")
        format = try Self.format(options.string("format") ?? LineFormat.json.rawValue)
        credentials = try Credentials(options)
        headers = try HeaderField.fields(options.map("headers"), authorizationIsTaken: credentials.isSet)
        timeout = options.duration("timeout") ?? Self.defaultTimeout
        connectTimeout = options.duration("connect_timeout") ?? Self.defaultConnectTimeout
        tls = try TLSSettings(options)
        proxy = try ProxyChoice(options.string("proxy") ?? "")
        try refuseOpenCredentials(isAllowed: options.bool("allow_insecure") ?? false)
    }

    private static func format(_ word: String) throws(PluginError) -> LineFormat {
        guard word == LineFormat.json.rawValue else {
            throw .refused(.address, "format '\(word)' is not known", hint: "Use json.", option: "format")
        }
        return .json
    }

    private func refuseOpenCredentials(isAllowed: Bool) throws(PluginError) {
        guard !endpoint.isEncrypted, !isAllowed else { return }
        let carrier = headers.first { $0.carriesCredentials }.map { "headers.\($0.name)" }
        guard let option = credentials.option ?? carrier else { return }
        throw .refused(
            .credentials,
            "\(option) would travel unencrypted to \(endpoint.display)",
            hint: "Use an https:// url, or set allow_insecure: true where nobody else can listen.",
            option: option
        )
    }
}
