public import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks up in `http.so`.
@c(sonde_plugin_http) public func sonde_plugin_http() -> UnsafePointer<sonde_plugin> {
    exportPlugin(HTTPSink.self)
}

extension HTTPSink {
    static let descriptor = PluginDescriptor(
        name: "http",
        kind: .sink,
        version: "0.1.0",
        summary: "Posts each batch to an HTTP receiver: as remote write, as OTLP, as lines of JSON or of InfluxDB.",
        needs: [
            "libcurl 7.87 or later", "libsnappy for remote write", "libzstd for compression: zstd",
            "A way to the receiver over TCP",
        ],
        options: HTTPConfiguration.options,
        errors: refusals + tokens + faults + certificates + statuses,
        delivery: .durable,
        ends: true
    )

    private static let refusals = [
        PluginDescriptor.ErrorDefinition(
            Refusal.address.rawValue,
            meaning: "url, format, compression or proxy cannot be used as it is written.",
            recovery: "Correct the option that the message names."
        ),
        PluginDescriptor.ErrorDefinition(
            Refusal.header.rawValue,
            meaning: "A field of headers cannot be sent, or is written by the sink itself.",
            recovery: "Correct or remove the field that the message names."
        ),
        PluginDescriptor.ErrorDefinition(
            Refusal.credentials.rawValue,
            meaning: "The credentials are incomplete, malformed, or would travel unencrypted.",
            recovery: "Correct auth; for http:// see allow_insecure."
        ),
    ]

    private static let certificates = [
        PluginDescriptor.ErrorDefinition(
            DeliveryError.certificateEnds.code, meaning: DeliveryError.certificateEnds.meaning,
            recovery: DeliveryError.certificateEnds.recovery)
    ]

    private static let tokens = [
        PluginDescriptor.ErrorDefinition(
            AccessTokens.noToken, meaning: "The token endpoint has answered without an access token.",
            recovery: "Check auth.oauth2.token_url.")
    ]

    // One per code: faults that differ only in their hint share theirs.
    private static let faults: [PluginDescriptor.ErrorDefinition] = {
        var codes: Set<String> = []
        return TransferFault.allCases.map(\.rule).filter { codes.insert($0.code).inserted }.map {
            PluginDescriptor.ErrorDefinition($0.code, meaning: $0.meaning, recovery: $0.recovery)
        }
    }()

    // One per status that has its own line; any other status has its code all the same, `SND-HTTP<status>`.
    private static let statuses = StatusRule.common.filter { $0.statuses.count == 1 }.map {
        PluginDescriptor.ErrorDefinition(
            StatusRule.code(of: $0.statuses.lowerBound), meaning: $0.meaning, recovery: $0.recovery)
    }
}

/// The codes of options that `create` refuses.
enum Refusal: String, CaseIterable {
    /// `url`, `format`, `compression` or `proxy`.
    case address = "SND-URL001"
    /// `headers`.
    case header = "SND-HDR001"
    /// `auth`.
    case credentials = "SND-AUT001"
    /// `tls`.
    case trust = "SND-TLS001"
}

extension PluginError {
    /// The refusal of an option.
    static func refused(_ reason: Refusal, _ message: String, hint: String, option: String) -> PluginError {
        PluginError(reason.rawValue, .configuration, message, hint: hint, optionPath: option)
    }
}
