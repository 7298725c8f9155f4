internal import SondeDomain
internal import SondePluginKit

/// The codes of options that `create` refuses.
enum Refusal: String, CaseIterable {
    /// `url`, `format` or `proxy`.
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
